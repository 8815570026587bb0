"""Every kind of file that Assay reads, with a command that reads it."""

from tests.fuzz.attempt import Door

_CONTRASTS = (
    "contrasts run {} --as-published --source contrasts/source.txt contrasts/average.txt --cache cache -j 1 -o out.json"
    " --source-parser conllu:contrasts/source.conllu --target-parser conllu:contrasts/average.conllu"
    " --aligner pharaoh:contrasts/average.links"
)
_TREE = "challenge convert challenge/tree -o out.jsonl"

DOORS = [
    # Suites
    Door("suite/suite.yaml", "evaluate suite A.tsv C.jsonl -o out.json"),
    Door("suite/ambiguity.yaml", "evaluate suite A.tsv C.jsonl -o out.html"),
    Door("suite/ambiguity.yaml", "lint suite A.tsv"),
    Door("suite/negation.yaml", "suite convert suite -o out"),
    Door("suite/judgements.yaml", "suite stats suite"),
    Door("suite/probes.yaml", "lint suite --probe"),
    Door("items.json", "suite convert items.json -o out"),
    Door("source.txt", "suite convert source.txt --langpair de-en --repair -o out"),
    Door("source.jsonl", "suite convert source.jsonl --langpair de-en -o out"),
    Door("source.txt", "suite check source.txt --for wmt25"),
    Door("sample.de-en.csv", "suite convert sample.de-en.csv -o out"),
    Door("sample.de-en.tsv", "evaluate sample.de-en.tsv A.txt -o out.md"),
    # Outputs
    Door("A.tsv", "evaluate suite A.tsv --verdicts out.jsonl -o out.csv"),
    Door("A.txt", "explain suite A.txt --item ambiguity/bank"),
    Door("B.txt.gz", "evaluate suite B.txt.gz -o out.xlsx"),
    Door("C.jsonl", "evaluate suite C.jsonl -o out.json"),
    Door("wmt.jsonl", "evaluate suite wmt.jsonl --source source.jsonl -o out.json"),
    Door("D.xml", "warnings suite D.xml -o out.xlsx"),
    Door("verdicts.parquet", "evaluate suite verdicts.parquet -o out.json"),
    Door("source.txt", "evaluate suite A.txt --source source.txt -o out.json"),
    Door("source.jsonl", "evaluate suite wmt.jsonl --source source.jsonl -o out.json"),
    Door("D.xml", "evaluate suite A.txt --source D.xml -o out.json"),
    Door("campaign.yaml", "evaluate suite campaign.yaml -o out.json"),
    Door("campaign.yaml", "report suite campaign.yaml --no-figures -o out"),
    Door("aliases.yaml", "evaluate suite A.tsv --aliases aliases.yaml -o out.json"),
    Door("campaign.yaml", "years suite campaign.yaml later.yaml -o out.csv"),
    Door("C.jsonl", "compare suite A.txt C.jsonl -o out.md"),
    Door("A.tsv", "items suite A.tsv C.jsonl -o out.csv"),
    Door("scores.tsv", "evaluate suite A.tsv C.jsonl --scores scores.tsv -o out.json"),
    # Judgements
    Door("todo.tsv", "judge suite todo.tsv -o out"),
    Door("todo.xlsx", "judge suite todo.xlsx -o out"),
    Door("todo.txt", "judge suite todo.txt -o out"),
    Door("pond.draw.json", "sample suite D.xml -n 1 --draw pond.draw.json -o out.tsv"),
    Door("annotations.json", "judge suite annotations.json -o out"),
    Door("annotations.jsonl", "judge suite annotations.jsonl -o out"),
    Door("judgements.jsonl", "suggest suite A.tsv D.xml --calibrate --judgements judgements.jsonl -o out.md"),
    # Challenge sets
    Door("challenge.jsonl", "challenge convert challenge.jsonl -o out.tsv"),
    Door("challenge.tsv", "challenge score challenge.tsv -m copy -j 1 -o out"),
    Door("aces.tsv", "challenge convert aces.tsv -o out.jsonl"),
    Door("cases.jsonl", "challenge convert cases.jsonl -o out.tsv"),
    Door("cases.tsv", "challenge convert cases.tsv --rank-by da -o out.jsonl"),
    Door("span.jsonl", "challenge convert span.jsonl -f aces -o out.tsv"),
    Door("own-aces.jsonl", "challenge convert own-aces.jsonl -o out.tsv"),
    Door("cases-tree/metadata/*", "challenge convert cases-tree -o out.jsonl"),
    Door("demetr.json", "challenge convert demetr.json -o out.jsonl"),
    Door("returned.tsv", "challenge report cases.jsonl returned.tsv -o out.json"),
    Door("challenge/tree/metadata/de-en.jsonl", _TREE),
    Door("challenge/tree/human-scores/*", _TREE),
    Door("challenge/tree/sources/de-en.txt", _TREE),
    Door("challenge/wmt25/*.more.jsonl", "challenge convert challenge/wmt25 -o out.tsv"),
    Door("challenge/wmt25/*.meta.txt", "challenge convert challenge/wmt25 -o out.tsv"),
    Door("key.tsv", "challenge report blind.tsv challenge/blind --key key.tsv -o out.json"),
    Door("challenge/scores/length.tsv", "challenge report challenge.jsonl challenge/scores -o out.json"),
    Door("challenge/report.json", "challenge spread challenge/report.json challenge/report2.json -o out.csv"),
    # Contrasts
    Door("contrasts/en-cs.yaml", _CONTRASTS.format("contrasts/en-cs.yaml"), ("cache",)),
    Door("contrasts/source.conllu", _CONTRASTS.format("en-cs"), ("cache",)),
    Door("contrasts/source.conllu", "contrasts find en-cs gerund contrasts/source.conllu -o out"),
    Door(
        "contrasts/source.conllu",
        "contrasts show en-cs 1 -s contrasts/source.txt --source-parser conllu:contrasts/source.conllu",
    ),
    Door("contrasts/average.links", _CONTRASTS.format("en-cs"), ("cache",)),
    Door("contrasts/average.txt", _CONTRASTS.format("en-cs"), ("cache",)),
    Door("subset.txt", _CONTRASTS.format("en-cs --subset some=subset.txt"), ("cache",)),
    # Translations
    Door("source.txt", "collect sources suite --decoys source.txt -o out.xml"),
    Door("sent.map.tsv", "collect check suite A.txt --map sent.map.tsv -o out"),
    Door("A.txt", "collect check suite A.txt --map sent.map.tsv -o out"),
    Door("translated/*.journal.jsonl", "translate suite --system mine=cmd:cat -o translated"),
    Door("translated/campaign.yaml", "evaluate suite translated/campaign.yaml -o out.json"),
    # The workbench
    Door("suite.zip", "upload suite.zip", ("received",)),
    Door("assay.db", "export --db assay.db -o out", ("assay.db",)),
    Door("assay.db", "import suite D.xml --db assay.db", ("assay.db",)),
    Door("exported/history.jsonl", "import exported --db out.db"),
    Door("exported/judgements.jsonl", "import exported --db out.db"),
]
