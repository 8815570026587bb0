"""Use cases of rules that widen themselves: what a change would do, taking it as one revision, leaving it.

    offer = offer_wider(visit, text_id)                      # after a judgement; None where there is nothing good
    offer.best.texts                                         # how many texts it would decide
    take_wider(visit, offer.change, "suite")                 # one revision, which can be reverted as a whole

Widened rules are made from rules that somebody typed; so they too are tried in another process only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from assay.errors import BadOption, UnknownName
from assay.suggest.wider_rules import (
    LOOSE,
    SAFE,
    How,
    OpenItem,
    RuleSpread,
    WidenedItem,
    WiderRule,
    apply_all,
    are_trusted,
    precedents,
)
from assay.suites import Item, Polarity, Rule
from assay.text import plural
from assay.workbench.items.rule_trial import SpreadTrial, WiderTrial
from assay.workbench.items.saved_items import foretell, write_items
from assay.workbench.queue.twins import has_twins
from assay.workbench.reader import Reader
from assay.workbench.sandbox import Busy, NotFinished
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.visit import Visit

Scope = Literal["item", "phenomenon", "suite"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)

SPREAD_SECONDS: Final = 6.0
"""How long a change may be tried on the items of a suite; a child of the sandbox has ten seconds."""

HOW_WORDS: Final[dict[How, str]] = {
    "case": "Aa = aa",
    "stop": "an optional final stop",
    "contraction": "a contraction",
    "spelling": "another spelling",
    "alternative": "one more alternative",
}


@dataclass(frozen=True, slots=True)
class WiderEffect:
    """What a change does in a scope: how many rules of how many items it changes, and what that decides.

    `refused` are items in which it would contradict what is decided; they are left as they are. `alike` and `unlike`
    count decided texts of the scope that equal another one, of the rule's polarity, but for case or a final stop, and
    have the same verdict, or another one: what judgements so far say of such a change.
    """

    scope: Scope
    rules: int
    items: int
    texts: int
    outputs: int
    refused: int
    alike: int
    unlike: int
    stopped: bool = False

    @property
    def is_safe(self) -> bool:
        """Whether texts of the kind that it decides were hardly ever judged otherwise."""
        return self.unlike <= SAFE * (self.alike + self.unlike)


@dataclass(frozen=True, slots=True)
class WiderOffer:
    """A change of a rule, the item that it was found in, and what it does there, in the phenomenon and in the suite.

    Scopes that do no more than a smaller one are left out; `best` is the largest one that is safe, else the smallest.
    """

    change: WiderRule
    item: str
    effects: Sequence[WiderEffect]

    @property
    def best(self) -> WiderEffect:
        return next((effect for effect in reversed(self.effects) if effect.is_safe), self.effects[0])

    @property
    def only_trusted(self) -> bool:
        """Whether items are left out whose phenomenon does not show that the change is safe."""
        return bool(self.change.old.value) and set(self.change.how) <= set(LOOSE)

    @property
    def words(self) -> str:
        """`Aa = aa and an optional final stop`."""
        return " and ".join(HOW_WORDS[how] for how in self.change.how)


@dataclass(frozen=True, slots=True)
class TakenWider:
    """A change that was taken: the revision that it is, and what it did."""

    revision: int
    effect: WiderEffect
    polarity: Polarity


def offer_wider(visit: Visit, text_id: int) -> WiderOffer | None:
    """The smallest change of an existing rule that would have known a text that somebody judged.

    Where the server has no time for it there is none: nobody asked, and the next card is on the screen already.
    """
    with visit.reading() as reader:
        reader.user.need("annotator")
        user, snapshot = reader.user, reader.snapshot
        text = snapshot.text(text_id)
    polarity = _judged(text)
    item = snapshot.items[text.place]
    if polarity is None or str(text.ruled.verdict) != "warning" or text.ruled.reason == "contradiction":
        return None
    try:
        change = visit.widen_rule(WiderTrial(_open(snapshot, text.place), text.value, polarity))
        if change is None or visit.state.wider.was_left(user.id, change):
            return None
        effects = _effects(visit, snapshot, change, item)
    except (Busy, NotFinished):
        return None
    return WiderOffer(change, item.id, effects) if effects else None


def survey_wider(
    visit: Visit, how: Sequence[How], polarity: Polarity, *, category: str = "", phenomenon: str = ""
) -> WiderOffer | None:
    """What it would do to let all rules of a polarity ignore case, or a final stop, in the suite or a phenomenon.

    None where it would decide nothing.
    """
    if not how or not set(how) <= set(LOOSE):
        raise UnknownName("way to widen all rules", ", ".join(how), LOOSE)
    with visit.reading() as reader:
        reader.user.need("annotator")
        snapshot = reader.snapshot
    inside = _inside(snapshot, category, phenomenon)
    change = loose_change(how, polarity)
    found = _spread(visit, snapshot, change)
    scope: Scope = "phenomenon" if phenomenon else "suite"
    effect = WiderSurvey(snapshot, found, _precedents(visit, snapshot, change)).effect(scope, inside)
    first = next((one.item for one in found.items if one.item in {item.id for item in inside}), "")
    return WiderOffer(change, first, [effect]) if effect.texts else None


def loose_change(how: Sequence[How], polarity: Polarity) -> WiderRule:
    """The change that lets rules of a polarity ignore case, or a final stop."""
    blank = Rule(polarity, "regex", "")
    return WiderRule(blank, blank, tuple(one for one in LOOSE if one in how))


def take_wider(
    visit: Visit, change: WiderRule, scope: Scope, *, item: str = "", category: str = "", phenomenon: str = ""
) -> TakenWider:
    """Make a change in the item that it was found in, in its phenomenon (or another one), or in the suite.

    It is tried again, since others may have judged meanwhile: what it would contradict stays as it is.
    """
    with visit.reading() as reader:
        reader.user.need("annotator")
        snapshot = reader.snapshot
    if scope == "item":
        inside = [snapshot.items[snapshot.place(item)]]
    elif scope == "phenomenon" and not phenomenon:
        home = snapshot.items[snapshot.place(item)]
        inside = _inside(snapshot, home.category, home.phenomenon)
    else:
        inside = _inside(snapshot, category, phenomenon)
    known = _precedents(visit, snapshot, change)
    if WiderOffer(change, item, ()).only_trusted:
        # Offered after a judgement, and only where it was said to be safe; whoever asks for all rules gets all.
        inside = _trusted(snapshot, known, inside, change.new.polarity)
    opened = tuple(_open(snapshot, snapshot.place(one.id)) for one in inside if _waits(snapshot, one))
    found = visit.spread_rule(SpreadTrial(opened, change, SPREAD_SECONDS))
    effect = WiderSurvey(snapshot, found, known).effect(scope, inside)
    if not effect.texts:
        raise BadOption("this decides no text any more; nothing was changed")
    items = {one.item: apply_all(snapshot.items[snapshot.place(one.item)], one.changes) for one in found.items}
    foretold = foretell(visit, snapshot, items)
    with visit.changing() as made:
        number = write_items(made, foretold, comment=_comment(change, effect))
    visit.state.wider.forget()
    return TakenWider(number, effect, change.new.polarity)


def leave_wider(visit: Visit, change: WiderRule) -> None:
    """Do not offer a change again to this person."""
    visit.state.wider.leave(visit.user().id, change)


def _comment(change: WiderRule, effect: WiderEffect) -> str:
    words = " and ".join(HOW_WORDS[how] for how in change.how)
    where = "" if effect.scope == "item" else f" on {plural(effect.rules, 'rule')}"
    value = "" if set(change.how) <= set(LOOSE) else f": {change.old.value} → {change.new.value}"
    return f"widened{value} ({words}){where}: warning → {change.new.polarity} {effect.texts}"[:500]


def _judged(text: SnapshotText) -> Polarity | None:
    settlement = text.settlement
    return settlement.verdict if settlement and not settlement.disputed else None


def _open(snapshot: Snapshot, place: int) -> OpenItem:
    """An item with what waits and what is decided, by judgements, rules, and exact rules of texts nobody wrote."""
    item, texts = snapshot.items[place], snapshot.texts_at(place)
    decided: dict[str, Polarity] = {rule.value: rule.polarity for rule in item.rules if rule.kind == "exact"}
    decided |= {text.value: "pass" if str(text.finding.verdict) == "pass" else "fail" for text in texts if text.decided}
    waiting = tuple(text.value for text in texts if text.waits and not text.disputed)
    return OpenItem(item, waiting, tuple(decided.items()), has_twins(snapshot, item))


def _waits(snapshot: Snapshot, item: Item) -> bool:
    return any(text.waits and not text.disputed for text in snapshot.texts_at(snapshot.place(item.id)))


def _inside(snapshot: Snapshot, category: str, phenomenon: str) -> list[Item]:
    taxonomy = snapshot.stored.suite.taxonomy
    if category and category not in taxonomy:
        raise UnknownName("category", category, taxonomy)
    if phenomenon and not any(phenomenon in names for names in taxonomy.values()):
        raise UnknownName("phenomenon", phenomenon, [name for names in taxonomy.values() for name in names])
    return [item for item in snapshot.items if category in ("", item.category) and phenomenon in ("", item.phenomenon)]


def _spread(visit: Visit, snapshot: Snapshot, change: WiderRule) -> RuleSpread:
    """What a change does to the whole suite, as it was a moment ago."""
    loose = set(change.how) <= set(LOOSE)
    same = ("loose", change.how, change.new.polarity) if loose else (change.old.check, change.new.check)

    def make() -> RuleSpread:
        chosen = [
            item
            for item in snapshot.items
            if (loose or any(rule.check == change.old.check for rule in item.rules)) and _waits(snapshot, item)
        ]
        opened = tuple(_open(snapshot, snapshot.place(item.id)) for item in chosen)
        return visit.spread_rule(SpreadTrial(opened, change, SPREAD_SECONDS))

    return visit.state.wider.kept((snapshot.stored.id, same), make)


def _effects(visit: Visit, snapshot: Snapshot, change: WiderRule, item: Item) -> list[WiderEffect]:
    """What a change does in the item, in its phenomenon and in the suite, where each does more than the last."""
    known = _precedents(visit, snapshot, change)
    scopes: list[tuple[Scope, Sequence[Item]]] = [
        ("item", [item]),
        ("phenomenon", _inside(snapshot, item.category, item.phenomenon)),
        ("suite", snapshot.items),
    ]
    if WiderOffer(change, item.id, ()).only_trusted:
        scopes = [(scope, _trusted(snapshot, known, inside, change.new.polarity)) for scope, inside in scopes]
        if not scopes[0][1]:
            return []
    survey = WiderSurvey(snapshot, _spread(visit, snapshot, change), known)
    effects: list[WiderEffect] = []
    for scope, inside in scopes:
        effect = survey.effect(scope, inside)
        if effect.texts > (effects[-1].texts if effects else 0):
            effects.append(effect)
    return effects


@dataclass(frozen=True, slots=True)
class WiderSurvey:
    """What a change does to a suite, and by item what is decided of texts that differ only in what it would ignore."""

    snapshot: Snapshot
    found: RuleSpread
    precedents: Mapping[str, tuple[int, int]]

    def effect(self, scope: Scope, items: Iterable[Item]) -> WiderEffect:
        """What it does to some items."""
        inside = {item.id for item in items}
        here = [one for one in self.found.items if one.item in inside]
        known = [counts for name, counts in self.precedents.items() if name in inside]
        return WiderEffect(
            scope,
            rules=sum(len(one.changes) for one in here),
            items=len(here),
            texts=sum(len(one.decides) for one in here),
            outputs=sum(_outputs(self.snapshot, one) for one in here),
            refused=sum(name in inside for name in self.found.refused),
            alike=sum(alike for alike, _ in known),
            unlike=sum(unlike for _, unlike in known),
            stopped=self.found.stopped,
        )


def _precedents(visit: Visit, snapshot: Snapshot, change: WiderRule) -> Mapping[str, tuple[int, int]]:
    """Item -> how many decided texts differ only in what a change would ignore, with the same verdict, or another."""
    if not set(change.how) <= set(LOOSE):
        return {}

    def make() -> dict[str, tuple[int, int]]:
        every = (
            (item.id, precedents(_open(snapshot, place).decided, change.how, change.new.polarity))
            for place, item in enumerate(snapshot.items)
        )
        return {name: found for name, found in every if any(found)}

    return visit.state.wider.kept((snapshot.stored.id, "precedents", change.how, change.new.polarity), make)


def _trusted(
    snapshot: Snapshot, known: Mapping[str, tuple[int, int]], items: Iterable[Item], polarity: Polarity
) -> list[Item]:
    """The items of whose phenomenon other items show that case and stop tell nothing there."""
    totals: dict[tuple[str, str], tuple[int, int]] = {}
    for item in snapshot.items:
        alike, unlike = totals.get((item.category, item.phenomenon), (0, 0))
        more = known.get(item.id, (0, 0))
        totals[item.category, item.phenomenon] = alike + more[0], unlike + more[1]

    def is_trusted(item: Item) -> bool:
        every, own = totals[item.category, item.phenomenon], known.get(item.id, (0, 0))
        return are_trusted(every[0] - own[0], every[1] - own[1], polarity)

    return [item for item in items if is_trusted(item)]


def _outputs(snapshot: Snapshot, one: WidenedItem) -> int:
    """How many outputs the texts are that a change decides."""
    place = snapshot.place(one.item)
    written = snapshot.written_at(place)
    return sum(written.count(text.id) for text in snapshot.texts_at(place) if text.value in one.decides)


def read_change(reader: Reader, old: Rule, new: Rule, how: Sequence[str]) -> WiderRule:
    """A change as a request names it."""
    reader.user.need("annotator")
    known = tuple(one for one in HOW_WORDS if one in how)
    if not known:
        raise UnknownName("way to widen a rule", ", ".join(how), HOW_WORDS)
    if old.polarity != new.polarity:
        raise BadOption("a rule that is widened keeps its polarity")
    return WiderRule(old, new, known)
