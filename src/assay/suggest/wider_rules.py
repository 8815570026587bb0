r"""Rules made a little wider: the smallest change of an existing rule that covers a text judged since.

    item = Item("tense/1", "Verb", "Modal", "Wir sollten …", (Rule("pass", "regex", r"\bwere supposed to\b"),))
    widen(item, "He was supposed to go.", "pass", decided=[("He had to go.", "fail")])
    # -> WiderRule(old=…, new=Rule("pass", "regex", r"\b(?:were|was) supposed to\b"), how=("alternative",))

A rule may come to ignore case, to do without a final stop, or get one more alternative where its words differ from the
text (a contraction, another spelling, another word). What is decided stays as it is: judged texts, exact rules,
examples, and what the rules of the item decided so far. An exact rule is what somebody said of that very text; it
stays, and a pattern comes beside it.

`spread` makes the same change to other items, wherever it decides a text that waits and contradicts nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from time import monotonic
from typing import Final, Literal

from assay.suites import Item, Polarity, Rule
from assay.text import normalise
from assay.verdicts import PatternError, RuleJudge, RuleTimeout, Verdict, plain_match

How = Literal["case", "stop", "contraction", "spelling", "alternative"]

LOOSE: Final[tuple[How, ...]] = ("case", "stop")
"""What a rule can be widened by without knowing a text."""

FEWEST_ALIKE: Final = 5
"""Decided texts of a phenomenon's other items that differ from another one in case or a final stop only, and have its
verdict, before a rule is offered that ignores these: chosen on the judgements that the benchmark reports."""

SAFE: Final = 0.02
"""The share of such texts that may have another verdict. On DFKI's de-en it is a tenth: there linguists took many names
in small letters for wrong."""

OFFERED: Final[Polarity] = "pass"
"""Rules of this polarity alone are offered to ignore case and a final stop: a text may be wrong for its small letters,
and right with capitals. Of the held-out judgements that fail rules decided so, 8 % said otherwise."""

WRITTEN_OUT: Final = ("regex", "exact", "contains")
"""Kinds of rules that are a pattern, or can be written as one; others are left as they are."""

MANY_WORDS: Final = 3
"""Words of a rule that one alternative takes the place of, and words of an alternative."""

FRAME: Final = 2
"""Words that a rule has to have beside the place of a new alternative: of one alone, any text would do."""

LONGEST: Final = 1_000
"""Characters of a pattern in which places for alternatives are looked for: each place is tried."""

PART, BREAK = "\1", "\0"
"""Signs for what is a part of a word and what ends one, which no pattern has."""

ALIKE: Final = 0.7
"""From here on two words are taken for spellings of one (`colour` and `color`, `realise` and `realize`)."""

_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
_PIECE = re.compile(
    r"(?P<escape>\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[pP]\{[^{}]*\}|.))"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|(?P<open>\((?:\?(?:[:>=!]|<[=!]|i:|P?<[A-Za-z_]\w*>))?)"
    r"|(?P<times>[*+?]|\{\d*,?\d*\})"
    r"|(?P<other>.)",
    re.S,
)
_WORD = re.compile(r"\w+(?:['-]\w+)*")
_BRANCHES: Final[tuple[How, ...]] = ("contraction", "spelling", "alternative")
"""Ways to get one more alternative, what changes least first."""

Decided = Sequence[tuple[str, Polarity]]
"""Texts of an item with what they are, by a judgement or by its rules."""


@dataclass(frozen=True, slots=True)
class WiderRule:
    """A rule, what it could be instead, and what that takes."""

    old: Rule
    new: Rule
    how: tuple[How, ...]

    def applied(self, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """The rules of an item with this change; what somebody judged stays beside the pattern made from it."""
        made: list[Rule] = []
        for rule in rules:
            kept = rule != self.old or rule.kind == "exact"
            made += [rule] if kept else []
            made += [self.new] if rule == self.old and self.new not in rules else []
        return tuple(made)


@dataclass(frozen=True, slots=True)
class OpenItem:
    """An item, the texts of it that wait, and those that are decided.

    Where it is not `loose`, capitals and signs may be its point, and its rules keep them.
    """

    item: Item
    waiting: tuple[str, ...]
    decided: tuple[tuple[str, Polarity], ...]
    loose: bool = True


@dataclass(frozen=True, slots=True)
class WidenedItem:
    """What a change does to an item: the rules it changes, and the waiting texts that these decide then."""

    item: str
    changes: tuple[WiderRule, ...]
    decides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleSpread:
    """A change made to many items. `refused` are those in which it would contradict what is decided.

    `stopped` says that there was no time for all of them.
    """

    items: tuple[WidenedItem, ...]
    refused: tuple[str, ...]
    stopped: bool = False


def loosen(rule: Rule, how: Sequence[How]) -> Rule | None:
    """The rule ignoring case, or a final stop, or both; None where it cannot, or does already."""
    if rule.kind not in WRITTEN_OUT or rule.scope:
        return None
    value, flags = _as_pattern(rule), rule.flags
    if "case" in how:
        # Without case, what a pattern forbids is more: it would match less.
        if flags or value.startswith("(?i)") or any(sign in value for sign in ("(?!", "(?<!", "[^")):
            return None
        flags = "i"
    if "stop" in how:
        loose = _without_stop(value)
        if loose is None:
            return None
        value = loose
    return Rule(rule.polarity, "regex", value, flags, rule.note)


def widen(item: Item, text: str, polarity: Polarity, decided: Decided, *, loose: bool = True) -> WiderRule | None:
    """The smallest change of one of an item's rules that covers a text; None where there is none to be trusted."""
    text = normalise(text)
    own = [rule for rule in item.rules if rule.polarity == polarity and not rule.by]
    rules = [rule for rule in own if rule.kind in WRITTEN_OUT and not rule.scope and not rule.is_blank]
    known = [(normalise(one), said) for one, said in decided]
    for candidates in (
        _loosened(rules if loose and polarity == OFFERED else ()),
        _alternatives(rules, text, [one for one, said in known if said == polarity]),
    ):
        for wider in candidates:
            if _covers(wider.new, text) and keeps(item, [wider], [*known, (text, polarity)]):
                return wider
    return None


def keeps(item: Item, changes: Iterable[WiderRule], decided: Decided) -> bool:
    """Whether all that is decided of an item, and its examples, is the same with these changes."""
    changed = apply_all(item, changes)
    examples = [(one, said) for said, texts in item.examples.by_polarity() for one in texts]
    try:
        judge = RuleJudge([changed])
    except ValueError:
        return False
    before = RuleJudge([item])
    for text, said in (*decided, *examples):
        verdict = judge.judge(changed, text).verdict
        if str(verdict) == said:
            continue
        # What a judgement outranks, or an example that is broken already, must at least not get another verdict.
        if verdict != before.judge(item, text).verdict or verdict != Verdict.WARNING:
            return False
    return True


def apply_all(item: Item, changes: Iterable[WiderRule]) -> Item:
    """The item with some of its rules changed."""
    rules = item.rules
    for wider in changes:
        rules = wider.applied(rules)
    return replace(item, rules=rules)


def spread(items: Sequence[OpenItem], change: WiderRule, *, seconds: float) -> RuleSpread:
    """The same change made to items wherever it decides a text that waits."""
    until = monotonic() + seconds
    widened: list[WidenedItem] = []
    refused: list[str] = []
    for number, one in enumerate(items):
        if monotonic() > until and number:
            return RuleSpread(tuple(widened), tuple(refused), stopped=True)
        wanted = [wider for wider in same_changes(one, change) if _helps(wider, one)]
        changes = wanted if keeps(one.item, wanted, one.decided) else []
        if wanted and not changes:
            changes = [wider for wider in wanted if keeps(one.item, [wider], one.decided)][:1]
            if not changes:
                refused.append(one.item.id)
        if changes:
            changed = apply_all(one.item, changes)
            judge = RuleJudge([changed])
            decides = tuple(
                text for text in one.waiting if str(judge.judge(changed, text).verdict) == change.new.polarity
            )
            if decides:
                widened.append(WidenedItem(one.item.id, tuple(changes), decides))
    return RuleSpread(tuple(widened), tuple(refused))


def same_changes(one: OpenItem, change: WiderRule) -> list[WiderRule]:
    """What the change of a rule means for another item: the same of all its rules, or of the very same rule."""
    if set(change.how) <= set(LOOSE):
        if not one.loose:
            return []
        rules = [rule for rule in one.item.rules if rule.polarity == change.new.polarity and not rule.by]
        found = (WiderRule(rule, new, how) for rule in rules for how, new in [_loosest(rule, change.how)] if new)
        return list(found)
    return [
        WiderRule(rule, replace(change.new, note=rule.note), change.how)
        for rule in one.item.rules
        if rule.check == change.old.check and not rule.by
    ]


def _loosest(rule: Rule, how: Sequence[How]) -> tuple[tuple[How, ...], Rule | None]:
    """A rule without case and stop, as far as it has them."""
    if rule.is_blank:
        return (), None
    both = loosen(rule, how)
    if both or len(how) == 1:
        return tuple(how), both
    return next((((one,), new) for one in how if (new := loosen(rule, (one,)))), ((), None))


def _helps(wider: WiderRule, one: OpenItem) -> bool:
    """Whether a change decides a text of an item that waits, and none of which capitals may be the fault."""
    waiting: Iterable[str] = one.waiting
    if wider.old.kind == "exact":
        # Most rules of large suites; to compile a pattern for each would take seconds.
        wanted = ignoring(normalise(wider.old.value), LOOSE)
        waiting = [text for text in waiting if ignoring(text, LOOSE) == wanted]
    decides = [text for text in waiting if _covers(wider.new, text)]
    if "case" in wider.how and any(unknown_capitals(text, wider, one.decided) for text in decides):
        return False
    return bool(decides)


def unknown_capitals(text: str, wider: WiderRule, decided: Decided) -> bool:
    """Whether a text has a word with a capital, not the first one, that nothing known to be so has: `You Bake a cake`.

    Half of what a rule without case decides wrongly is of that kind.
    """
    later = {word for word in _WORD.findall(text)[1:] if word[0].isupper() and word != "I"}
    known = (wider.old.value, *(other for other, said in decided if said == wider.new.polarity))
    return not later.issubset(word for one in known for word in _WORD.findall(one)) if later else False


def ignoring(text: str, how: Sequence[How]) -> str:
    """A text without case, or a final stop, or both: equal for texts that differ in nothing else."""
    text = text.rstrip(".") if "stop" in how else text
    return text.casefold() if "case" in how else text


def precedents(decided: Decided, how: Sequence[How], polarity: Polarity) -> tuple[int, int]:
    """What is decided of texts that equal another one of a polarity but for what a change would ignore.

    How many have the same verdict, and how many another one.
    """
    said: dict[str, Counter[str]] = {}
    for text, verdict in decided:
        said.setdefault(ignoring(text, how), Counter())[verdict] += 1
    several = [verdicts for verdicts in said.values() if verdicts[polarity] and verdicts.total() > 1]
    alike = sum(verdicts[polarity] - 1 for verdicts in several)
    return alike, sum(verdicts.total() - verdicts[polarity] for verdicts in several)


def are_trusted(alike: int, unlike: int, polarity: Polarity) -> bool:
    """Whether precedents from a phenomenon's other items show that case and stop tell nothing there."""
    return polarity == OFFERED and alike >= FEWEST_ALIKE and unlike <= SAFE * (alike + unlike)


def _covers(rule: Rule, text: str) -> bool:
    try:
        return plain_match(rule, text) is not None
    except (PatternError, RuleTimeout):
        return False


def _loosened(rules: Sequence[Rule]) -> Iterator[WiderRule]:
    how: tuple[How, ...]
    for how in (("case",), ("stop",), ("case", "stop")):
        # A pattern that somebody wrote before one that is made from an exact rule.
        for rule in sorted(rules, key=lambda rule: rule.kind == "exact"):
            new = loosen(rule, how)
            if new:
                yield WiderRule(rule, new, how)


def _as_pattern(rule: Rule) -> str:
    if rule.kind == "regex":
        return rule.value
    escaped = _escaped(normalise(rule.value))
    return f"^{escaped}$" if rule.kind == "exact" else escaped


def _escaped(text: str) -> str:
    # `re.escape` would also escape spaces and hyphens, which nobody does by hand.
    return _SPECIAL.sub(r"\\\g<0>", text)


def _without_stop(value: str) -> str | None:
    r"""The pattern with its last `\.` made optional at the end of a text, or with one there where it has none."""
    pieces = _pieces(value)
    if pieces and pieces[-1] == "$":
        if len(pieces) > 1 and pieces[-2] in (r"\.", "."):
            return value[: -len(pieces[-2]) - 1] + r"\.?$" if pieces[-2] == r"\." else value[:-2] + ".?$"
        word = len(pieces) > 1 and (pieces[-2].isalnum() or pieces[-2] == ")")
        return value[:-1] + r"\.?$" if word else None
    if pieces and pieces[-1] == r"\.":
        return value[:-2] + r"(?:\.|$)"
    if len(pieces) > 1 and pieces[-1] == "." and (pieces[-2].isalnum() or pieces[-2] == ")"):
        return value[:-1] + "(?:.|$)"
    return None


def _pieces(value: str) -> list[str]:
    """A pattern cut into escapes, sets, brackets, repeats and characters."""
    return [piece[0] for piece in _PIECE.finditer(value)]


# One more alternative


def _alternatives(rules: Sequence[Rule], text: str, alike: Sequence[str]) -> list[WiderRule]:
    """Rules with one more alternative that cover a text, those that change least first."""
    found: dict[tuple[Rule, str], WiderRule] = {}
    for rule in rules:
        if rule.kind == "exact":
            continue
        value = _as_pattern(rule)
        flags = rule.flags or ("i" if value.startswith("(?i)") else "")
        for start, end, said in (*_framed(value, flags, text), *_paired(rule, value, text, alike)):
            how = _difference(value[start:end], said)
            if how:
                new = Rule(rule.polarity, "regex", _with_branch(value, start, end, said), rule.flags, rule.note)
                found.setdefault((rule, new.value), WiderRule(rule, new, (how,)))
    return sorted(
        found.values(),
        key=lambda wider: (_BRANCHES.index(wider.how[0]), len(wider.new.value) - len(wider.old.value)),
    )


def _framed(value: str, flags: str, text: str) -> Iterator[tuple[int, int, str]]:
    """Words of a pattern in whose place a text has others while it has all else: (from, to, what it has)."""
    # Beside a gap that takes anything, so would the new alternative.
    if len(value) > LONGEST or ".*" in value or ".+" in value:
        return
    import regex

    for start, end in _stretches(value):
        old = value[start:end]
        number = len(old.split())
        # As many words as stood there; one more or less only for a contraction.
        for words in (number, number - 1, number + 1):
            wild = rf"(?P<new_>{_WORD.pattern}(?: {_WORD.pattern}){{{words - 1}}})" if words else ""
            try:
                probe = regex.compile(value[:start] + wild + value[end:], regex.IGNORECASE if flags else 0)
                found = probe.search(text, timeout=0.05) if words else None
            except (regex.error, TimeoutError):
                continue
            how = _difference(old, found["new_"]) if found else None
            if found is None or how is None or (words != number and how != "contraction"):
                continue
            frame = text[found.start() : found.start("new_")] + " " + text[found.end("new_") : found.end()]
            if len(_WORD.findall(frame)) >= FRAME:
                yield start, end, found["new_"]
                break


def _paired(rule: Rule, value: str, text: str, alike: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """What a text has in the place of what the rule matches in another one that is the same but for that."""
    for other in alike:
        try:
            found = plain_match(rule, other)
        except RuleTimeout:
            return
        if not found:
            continue
        head, matched, tail = other[: found.start], other[found.start : found.end], other[found.end :]
        if not text.startswith(head) or not text.endswith(tail) or len(text) <= len(head) + len(tail):
            continue
        said = text[len(head) : len(text) - len(tail)]
        if len(_WORD.findall(said)) > MANY_WORDS or _WORD.sub("", said).strip():
            continue
        yield from ((start, end, said) for start, end in _stretches(value) if value[start:end] == matched)


def _stretches(value: str) -> Iterator[tuple[int, int]]:
    """Words in a row that stand in a pattern as they are, at most so many."""
    mask = _mask(value)
    words = [
        found.span()
        for found in _WORD.finditer(mask)
        # What a set or a repeat goes on with is only a part of a word.
        if PART not in (mask[found.start() - 1 : found.start()], mask[found.end() : found.end() + 1])
    ]
    for first in range(len(words)):
        for last in range(first, min(first + MANY_WORDS, len(words))):
            start, end = words[first][0], words[last][1]
            if _WORD.sub("", mask[start:end]).strip(" ") == "":
                yield start, end


def _mask(value: str) -> str:
    """A pattern of the same length in which only characters that stand for themselves are left."""
    pieces = list(_PIECE.finditer(value))
    made = []
    for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
        repeated = after is not None and after.lastgroup == "times"
        if piece.lastgroup == "set" or piece[0] in (r"\w", r"\d") or (repeated and piece[0].isalnum()):
            made.append(PART * len(piece[0]))
        elif piece.lastgroup == "other" and piece[0] not in "|.^$":
            made.append(piece[0])
        else:
            made.append(BREAK * len(piece[0]))
    return "".join(made)


def _branch_group(value: str, start: int, end: int) -> tuple[int, int]:
    """The innermost group around a stretch, or the stretch itself where there is none."""
    opened: list[int] = []
    groups: list[tuple[int, int]] = []
    for piece in _PIECE.finditer(value):
        if piece.lastgroup == "open":
            opened.append(piece.start())
        elif piece[0] == ")" and opened:
            groups.append((opened.pop(), piece.end()))
    around = [group for group in groups if group[0] <= start and end <= group[1]]
    return max(around, default=(start, end))


def _with_branch(value: str, start: int, end: int, said: str) -> str:
    """A pattern with one more alternative to a stretch of it: in its group, where it is a branch of one."""
    left, right = _branch_group(value, start, end)
    alternative = _escaped(said)
    opening = _PIECE.match(value, left)
    begins = value[start - 1 : start] == "|" or (opening is not None and opening.end() == start)
    plain = opening is not None and opening[0] in ("(", "(?:")
    if left < start and plain and begins and value[end : end + 1] in ("|", ")"):
        return f"{value[: right - 1]}|{alternative}{value[right - 1 :]}"
    return f"{value[:start]}(?:{value[start:end]}|{alternative}){value[end:]}"


def _difference(one: str, other: str) -> How | None:
    """What tells two stretches apart; None where one is a contraction, and not of the other."""
    if ("'" in one) != ("'" in other):
        return "contraction" if one[0].lower() == other[0].lower() else None
    words, others = one.split(), other.split()
    alike = len(words) == len(others) and all(
        a == b
        or (
            a[0] == b[0]
            and len(a) > FRAME
            and SequenceMatcher(None, a.lower(), b.lower()).ratio() >= ALIKE
            and _respelled(a, b)
        )
        for a, b in zip(words, others, strict=True)
    )
    return "spelling" if alike else "alternative"


def _respelled(one: str, other: str) -> bool:
    """Whether two words are one in other spellings, by what they share once these are put aside."""

    def plain(word: str) -> str:
        word = word.lower().replace("z", "s").replace("our", "or").replace("ß", "ss").replace("-", "")
        return re.sub(r"(.)\1", r"\1", re.sub("re$", "er", word))

    return plain(one) == plain(other)
