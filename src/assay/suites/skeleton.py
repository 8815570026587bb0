"""A suite to start from: two worked items, a README, a `.gitignore`, and a workflow that checks every push.

    write_skeleton("en-fr", Path("my-suite"))

Where Assay has a suite of the pair, the items are two of it. Otherwise they are sentences that can be said in any
language; where Assay does not know them in one of the two, English stands in for it, and the file says so.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from assay.errors import BadFile, BadOption
from assay.files import writing_folder
from assay.languages import LanguageCode, base_language, bcp47, language_name, pair_name, read_pair, usual_script
from assay.suites.load import bundled, load_suite
from assay.suites.native import BARE_KINDS, MANIFEST
from assay.suites.native_text import patterned
from assay.suites.native_writer import dump, item_entry
from assay.suites.suite import Examples, Item, Rule, Suite
from assay.text import slug

WORKFLOW = Path(".github") / "workflows" / "suite.yml"


def write_skeleton(langpair: str, folder: Path) -> Suite:
    """Write a new suite; the folder appears whole or not at all."""
    codes = read_pair(langpair)
    source, target = map(bcp47, codes)
    if source == target:
        raise BadOption(f"{langpair}: both languages are the same; write it like this: en-fr")
    if folder.is_dir() and any(folder.iterdir()):
        raise BadFile(folder, "the folder is not empty", cure="choose another name, or add items: assay suite add")
    # deu_Latn-eng_Latn is de-en, but not de_CH-en.
    known = f"{source}-{target}"
    worked = _bundled(known) if known in bundled() else _spoken(*codes)
    name = slug(folder.resolve().name)
    with writing_folder(folder) as written:
        _write(written / MANIFEST, _manifest(name, langpair, worked.taxonomy))
        for item in worked.items:
            stem = item.id.partition("/")[0]
            _write(written / slug(item.category) / f"{stem}.yaml", _items_file(item, stem, worked.remark))
        _write(written / "README.md", _README.format(name=name, pair=pair_name(langpair)))
        _write(written / ".gitignore", _GITIGNORE)
        _write(written / WORKFLOW, _WORKFLOW)
    return load_suite(folder)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


# Worked items


@dataclass(frozen=True, slots=True)
class _Worked:
    """Items to start from with their taxonomy; the remark says what has to be replaced in them."""

    items: tuple[Item, ...]
    taxonomy: Mapping[str, Mapping[str, str]]
    remark: str


def _bundled(langpair: str) -> _Worked:
    """The first finished item of each of the first two phenomena."""
    suite = load_suite(langpair)
    first: dict[str, Item] = {}
    for item in suite.items:
        polarities = {rule.polarity for rule in item.rules}
        if item.tests and len(polarities) == 2 and item.examples.passing and item.examples.failing:
            # Its own rules alone; what a linguist said of single texts is no example of how to write one.
            own = tuple(rule for rule in item.rules if not rule.by and rule.kind not in BARE_KINDS)
            first.setdefault(item.phenomenon, replace(item, rules=own))
    items = tuple(first.values())[:2]
    taxonomy: dict[str, dict[str, str]] = {}
    for item in items:
        described = suite.taxonomy[item.category][item.phenomenon]
        taxonomy.setdefault(item.category, {})[item.phenomenon] = described
    return _Worked(items, taxonomy, f"From the bundled suite {suite.name}")


@dataclass(frozen=True, slots=True)
class _Language:
    """What the two sentences need: the name of a country with its preposition, and numbers."""

    brother: str
    """My brother works in Germany."""
    germany: str
    eggs: str
    """She bought {} eggs."""
    thirteen: str
    thirty: str


_LANGUAGES = {
    "cs": _Language("Můj bratr pracuje v {}.", "Německu", "Koupila {} vajec.", "třináct", "třicet"),
    "de": _Language("Mein Bruder arbeitet in {}.", "Deutschland", "Sie hat {} Eier gekauft.", "dreizehn", "dreißig"),
    "en": _Language("My brother works in {}.", "Germany", "She bought {} eggs.", "thirteen", "thirty"),
    "es": _Language("Mi hermano trabaja en {}.", "Alemania", "Ella compró {} huevos.", "trece", "treinta"),
    "fr": _Language("Mon frère travaille en {}.", "Allemagne", "Elle a acheté {} œufs.", "treize", "trente"),
    "it": _Language("Mio fratello lavora in {}.", "Germania", "Lei ha comprato {} uova.", "tredici", "trenta"),
    "ja": _Language("兄は{}で働いています。", "ドイツ", "彼女は卵を{}個買いました。", "十三", "三十"),
    "nl": _Language("Mijn broer werkt in {}.", "Duitsland", "Ze heeft {} eieren gekocht.", "dertien", "dertig"),
    "pl": _Language("Mój brat pracuje w {}.", "Niemczech", "Kupiła {} jajek.", "trzynaście", "trzydzieści"),
    "pt": _Language("O meu irmão trabalha na {}.", "Alemanha", "Ela comprou {} ovos.", "treze", "trinta"),
    "ru": _Language("Мой брат работает в {}.", "Германии", "Она купила {} яиц.", "тринадцать", "тридцать"),
    "sv": _Language("Min bror arbetar i {}.", "Tyskland", "Hon köpte {} ägg.", "tretton", "trettio"),
    "uk": _Language("Мій брат працює в {}.", "Німеччині", "Вона купила {} яєць.", "тринадцять", "тридцять"),
    "zh": _Language("我哥哥在{}工作。", "德国", "她买了{}个鸡蛋。", "十三", "三十"),
}

_CATEGORY = "Names & numbers"
_PHENOMENA = {
    "Country name": "The name of a country that differs between the two languages.",
    "Number word": "A number that is written as a word.",
    "Clock time": "A time of day that is written in words.",
}


def _known(code: str) -> _Language | None:
    """The words of a language, unless its code asks for another script or, in Switzerland, another spelling."""
    meant = LanguageCode.of(code)
    known = _LANGUAGES.get(base_language(code))
    if known and meant.language == "de" and meant.region in ("CH", "LI"):
        return replace(known, thirty=known.thirty.replace("ß", "ss"))
    return known if meant.script_meant in ("", "Hans", usual_script(base_language(code))) else None


def _spoken(source: str, target: str) -> _Worked:
    """A country and a number; where the target language is not known a number and a time, which have digits."""
    words, said = _known(source) or _LANGUAGES["en"], _known(target)
    # Where both write the number alike (Chinese and Japanese do), a copy of the source would pass.
    if said is not None and said.thirteen != words.thirteen:
        items, foreign = (_country(words, said), _number(words, said)), {source} if _known(source) is None else set()
    else:
        items, foreign = _in_digits(), {code for code in (source, target) if base_language(code) != "en"}
    names = " and ".join(language_name(code) for code in (source, target) if code in foreign)
    remark = f"English stands in for {names}: translate it" if names else "Made up"
    return _Worked(items, {_CATEGORY: {item.phenomenon: _PHENOMENA[item.phenomenon] for item in items}}, remark)


def _country(source: _Language, target: _Language) -> Item:
    return Item(
        id="country-name/germany",
        category=_CATEGORY,
        phenomenon="Country name",
        source=source.brother.format(source.germany),
        tests="The country has a name of its own in the target language.",
        rules=(
            Rule("pass", "regex", _word(target.germany)),
            # A foreign word has edges where the others have them.
            Rule(
                "fail",
                "regex",
                source.germany if _is_dense(target.germany) else _word(source.germany),
                note="left untranslated",
            ),
        ),
        examples=Examples((target.brother.format(target.germany),), (target.brother.format(source.germany),)),
    )


def _number(source: _Language, target: _Language) -> Item:
    return Item(
        id="number-word/thirteen",
        category=_CATEGORY,
        phenomenon="Number word",
        source=source.eggs.format(source.thirteen),
        tests="Thirteen stays thirteen, as a word or in digits, and does not become thirty.",
        rules=(
            Rule("pass", "regex", _word(f"13|{target.thirteen}")),
            Rule("fail", "regex", _word(f"30|{target.thirty}")),
        ),
        examples=Examples(
            (target.eggs.format(target.thirteen), target.eggs.format("13")), (target.eggs.format(target.thirty),)
        ),
    )


def _in_digits() -> tuple[Item, Item]:
    eggs = _LANGUAGES["en"].eggs
    return (
        Item(
            id="number-word/thirteen",
            category=_CATEGORY,
            phenomenon="Number word",
            source=eggs.format("thirteen"),
            tests="Thirteen stays thirteen and does not become thirty.",
            rules=(Rule("pass", "regex", _digits("13")), Rule("fail", "regex", _digits("30"))),
            examples=Examples((eggs.format("13"),), (eggs.format("30"),)),
        ),
        Item(
            id="clock-time/quarter",
            category=_CATEGORY,
            phenomenon="Clock time",
            source="The train leaves at a quarter to six.",
            tests="A quarter to six is 5:45, not 6:15.",
            rules=(Rule("pass", "regex", _digits("5.?45")), Rule("fail", "regex", _digits("6.?15"))),
            examples=Examples(("The train leaves at 5:45.",), ("The train leaves at 6:15.",)),
        ),
    )


def _word(pattern: str) -> str:
    r"""`\b(…)\b`; in languages that put no space between words only digits have edges."""
    if _is_dense(pattern):
        return "|".join(_digits(part) if part.isdigit() else part for part in pattern.split("|"))
    return rf"\b({pattern})\b" if "|" in pattern else rf"\b{pattern}\b"


def _is_dense(text: str) -> bool:
    return bool(re.search("[\u3040-\u30ff\u4e00-\u9fff]", text))


def _digits(pattern: str) -> str:
    return rf"(?<!\d){pattern}(?!\d)"


# Files


def _manifest(name: str, langpair: str, taxonomy: Mapping[str, Mapping[str, str]]) -> str:
    categories = dump({"categories": {category: dict(names) for category, names in taxonomy.items()}})
    return _MANIFEST.format(
        name=dump({"name": name}).strip(),
        langpair=langpair,
        pair=pair_name(langpair),
        canary=f"{name} canary {uuid4()}",
        categories=categories.partition("\n")[2],
    )


def _items_file(item: Item, stem: str, remark: str) -> str:
    return "".join(_lines(item, stem, remark))


def _lines(item: Item, stem: str, remark: str) -> Iterator[str]:
    yield f"# The items of a phenomenon. The name of this file is part of their ids: {item.id}\n"
    yield dump({"category": item.category, "phenomenon": item.phenomenon})
    yield "items:\n"
    yield f"  # EXAMPLE, to be replaced by your own items. {remark}.\n"
    dash = "  - "
    for key, value in patterned(item_entry(item, stem, named=False)).items():
        yield from (f"    # {line}\n" for line in _COMMENTS.get(key, ()))
        for line in dump({key: value}).splitlines(keepends=True):
            yield dash + line
            dash = "    "


_COMMENTS = {
    "tests": ("What the item tests, in a sentence.",),
    "pass": (
        "Right where one of these is found in the translation. A plain string is a regular expression, in single",
        "quotes and case-sensitive; {contains: …} and {exact: …} are plain texts.",
    ),
    "fail": ("Wrong where one of these is found: errors that you have seen. What neither knows waits for a linguist.",),
    "examples": ("Tests of the rules, which `assay lint` runs: translations that the rules were not made from.",),
}

_MANIFEST = """\
# A test suite for Assay. Its items are in the YAML files beside this one, a file for each phenomenon.
{name}
langpair: {langpair}  # {pair}
# Part of every result's signature: raise it when rules change.
version: 0.1.0
licence: CC-BY-4.0
authors: [Your Name]
# A random string of this suite alone. Who trains a model can search the data for it.
canary: {canary}
# What language models are told about every item, in place of Assay's own instruction. A prompt: at the top of a file or
# in an item counts instead, and so does context:, what stands around the text. {{target_language}} is filled in.
# prompt: Translate this line of a film into {{target_language}}. Answer with the translation only.
# Rules that all items have beside their own: copies of the source and answers in place of a translation are wrong.
# defaults: {{fail: [copy, refusal]}}
# Categories with their phenomena, described in a sentence each, in the order of reports.
categories:
{categories}"""

_README = """\
# {name}

A test suite for machine translation, {pair}, for [Assay](https://pypi.org/project/assay-mt/).
The two items are examples: replace them.

- Add an item: `assay suite add --phenomenon NAME --source TEXT` (also: `assay suite add --help`)
- Check rules and examples: `assay lint .` (on every push: `.github/workflows/suite.yml`)
- Sentences to translate: `assay suite sources . -o sources.txt`
- Evaluate: `assay evaluate . my-system.txt`
"""

_GITIGNORE = """\
# What Assay writes, and what systems translated
*.db
/outputs/
/report/
/sources.txt
"""

_WORKFLOW = """\
# Checks the suite on every push. GitHub finds this file where the suite is at the top of its repository.
name: suite
on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install assay-mt
      # Rules that do not compile, and examples that their rules judge wrongly. With --strict warnings fail too.
      - run: assay lint . --strict
      # Items, rules and examples of every phenomenon
      - run: assay suite stats .
"""
