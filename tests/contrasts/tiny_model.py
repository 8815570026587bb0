"""A UDPipe model that knows six Czech sentences, trained where a test needs a real one."""

from pathlib import Path

TREEBANK = """
Chce VERB 0 root VerbForm=Fin
, PUNCT 5 punct _
+ abych a bych
přišel VERB 1 ccomp VerbForm=Part
domů ADV 5 advmod _
. PUNCT 1 punct _

Přišla VERB 0 root VerbForm=Part
domů ADV 1 advmod _
. PUNCT 1 punct _

Chce VERB 0 root VerbForm=Fin
jít VERB 1 xcomp VerbForm=Inf
domů ADV 2 advmod _
. PUNCT 1 punct _

Odešla VERB 0 root VerbForm=Part
, PUNCT 5 punct _
+ aby a by
přišel VERB 1 advcl VerbForm=Part
. PUNCT 1 punct _

Přišel VERB 0 root VerbForm=Part
. PUNCT 1 punct _

Odešla VERB 0 root VerbForm=Part
domů ADV 1 advmod _
. PUNCT 1 punct _
"""


def conllu() -> str:
    """The sentences as CoNLL-U; a row `+ aby a by` is a multiword token, a conjunction and an auxiliary."""
    return "\n".join(_sentence(block.splitlines()) for block in TREEBANK.strip().split("\n\n")) + "\n"


def _sentence(rows: list[str]) -> str:
    written, number = [], 0
    for place, row in enumerate(rows):
        glued = place + 1 < len(rows) and rows[place + 1].startswith((",", "."))
        misc = "SpaceAfter=No" if glued else "_"
        if row.startswith("+"):
            _, form, conjunction, auxiliary = row.split()
            written += [
                f"{number + 1}-{number + 2}\t{form}" + "\t_" * 7 + f"\t{misc}",
                f"{number + 1}\t{conjunction}\taby\tSCONJ\tJ\t_\t{number + 3}\tmark\t_\t_",
                f"{number + 2}\t{auxiliary}\tbýt\tAUX\tV\tMood=Cnd\t{number + 3}\taux\t_\t_",
            ]
            number += 2
            continue
        form, upos, head, deprel, feats = row.split()
        number += 1
        written.append(f"{number}\t{form}\t{form.lower()}\t{upos}\t{upos[0]}\t{feats}\t{head}\t{deprel}\t_\t{misc}")
    return "\n".join(written) + "\n"


def train(path: Path, *, tokenizer: bool = True, parser: bool = True) -> Path:
    """Train the model, in about a second, and write it to a file."""
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer

    reader, error, sentences = InputFormat.newConlluInputFormat(), ProcessingError(), Sentences()
    reader.setText(conllu())
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        sentences.push_back(sentence)
        sentence = Sentence()
    model = Trainer.train(
        "morphodita_parsito",
        sentences,
        Sentences(),
        "dimension=16;epochs=1;batch_size=1;segment_size=10;learning_rate=0.02" if tokenizer else "none",
        "models=1;iterations=10",
        "iterations=20;hidden_layer=20;batch_size=1;l2=0;embedding_feats=10;embedding_form=10" if parser else "none",
        error,
    )
    assert not error.occurred(), error.message
    path.write_bytes(model)
    return path
