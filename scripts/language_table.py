"""Write the table of languages, scripts and regions from IANA's registry of subtags, which is in the public domain.

    python scripts/language_table.py language-subtag-registry

The registry is https://www.iana.org/assignments/language-subtag-registry. Its languages are those of ISO 639-1, or of
ISO 639-3 where they have no code of two letters; scripts are of ISO 15924, regions of ISO 3166 and UN M.49.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "src" / "assay" / "languages.tsv"

NAMES = {
    "Hans": "Simplified", "Hant": "Traditional", "CD": "Congo-Kinshasa", "CG": "Congo-Brazzaville", "FM": "Micronesia",
    "IR": "Iran", "KP": "North Korea", "KR": "South Korea", "LA": "Laos", "PS": "Palestine", "RU": "Russia",
    "SY": "Syria", "TW": "Taiwan", "TZ": "Tanzania", "VA": "Vatican City", "VN": "Vietnam", "XK": "Kosovo",
    "419": "Latin America",
}  # fmt: skip
"""What people say where the registry has the name of a state or a note."""

SCRIPTS = {
    "Arab": "acm acq aeb afb apc apd arb ars ary arz ayl azb bal ckb glk ks lrc mzn pbt pes pnb prs sd sdh skr ug",
    "Cyrl": "ba cv sah tg",
    "Deva": "awa bho brx gom hne mag npi sa",
    "Ethi": "ti",
    "Hebr": "ydd",
    "Latn": "ak als ast ay ayr bar bem bm ceb cjk dik dsb dyu ee ekk fil fj fo fon fur fuv gaz ha hil hsb ig ilo kab "
    "kac kam kbp kea kg ki kmb kmr lg lij lmo ltg lua luo lus lvs mas mi mos nds nus oc pag pap plt quy rw sag sc scn "
    "sg sm so sw swh szl tl tn tpi ts tum tw umb vec war wo xh yo zsm",
    "Olck": "sat",
    "Orya": "ory",
    "Syrc": "aii syr",
    "Tibt": "bo",
}
"""The usual script, where the registry names none and another one would be said."""


def main() -> None:
    usual = {code: script for script, codes in SCRIPTS.items() for code in codes.split()}
    rows = {}
    for record in records(Path(sys.argv[1]).read_text("utf-8")):
        code = record.get("Subtag", "")
        if record["Type"] in ("language", "script", "region") and ".." not in code and "Deprecated" not in record:
            # "Devanagari (Nagari)" is Devanagari to people, but "Latin (Fraktur variant)" is not Latin.
            described = record["Description"]
            name = NAMES.get(code, described if "variant)" in described else described.partition(" (")[0])
            rows[code] = f"{code}\t{name}\t{record.get('Suppress-Script', usual.get(code, ''))}".rstrip("\t")
    rows.setdefault("XK", f"XK\t{NAMES['XK']}")
    TABLE.write_text("".join(f"{row}\n" for _, row in sorted(rows.items())), "utf-8")


def records(text: str) -> Iterator[dict[str, str]]:
    """Records are parted by %%; a field that stands several times counts once, and long lines go on after a space."""
    for part in text.replace("\n  ", " ").split("%%\n"):
        fields: dict[str, str] = {}
        for line in part.splitlines():
            name, _, value = line.partition(": ")
            fields.setdefault(name, value)
        if "Type" in fields:
            yield fields


if __name__ == "__main__":
    main()
