"""Contrasts in YAML: source constructions, target classes, and which classes are good for which construction.

    contrasts = read(Path("en-cs.yaml"))
    contrasts.contrasts["gerund-finite"].good

Patterns are those of spaCy's `DependencyMatcher`; `schemas/contrasts.json` checks the file in editors.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from assay.contrasts.records import (
    ALIGNED,
    ATTRIBUTES,
    KEYWORD,
    OPERATORS,
    OTHER,
    PREDICATES,
    Attribute,
    Condition,
    Construction,
    Contrast,
    Contrasts,
    Fault,
    Node,
    Pattern,
    Predicate,
    Subtype,
    TargetClass,
)
from assay.languages import BadLanguage, read_pair
from assay.verdicts import PatternError
from assay.verdicts import pattern as compiled_pattern
from assay.yaml_nodes import YamlNode, parse

N = TypeVar("N", bound=str)

MOST_NODES = 50
"""Nodes of a pattern; published ones have up to five, and matching goes as deep as there are nodes."""

_FIRST_KEYS = ("RIGHT_ID", "RIGHT_ATTRS")
_NODE_KEYS = ("LEFT_ID", "REL_OP", *_FIRST_KEYS)
_LISTS: tuple[Predicate, ...] = ("IN", "NOT_IN", "IS_SUPERSET", "IS_SUBSET", "INTERSECTS")
_SETS: tuple[Predicate, ...] = ("IS_SUPERSET", "IS_SUBSET", "INTERSECTS")
_COMPARISONS: tuple[Predicate, ...] = ("==", "!=", ">=", "<=", ">", "<")


def read(path: Path) -> Contrasts:
    """Read a file of contrasts; errors name the line."""
    root = parse(path)
    fields = root.only(
        "name", "langpair", "version", "licence", "description", "source", "target", "contrasts", "faults"
    )
    for name in ("source", "target"):
        if name not in fields:
            root.fail(f"{name!r} is missing", "a file has constructions and classes")
    langpair = root.text("langpair")
    try:
        read_pair(langpair)
    except BadLanguage as error:
        fields["langpair"].fail(error.problem, error.cure)
    constructions = {name: _construction(name, section) for name, section in fields["source"].fields().items()}
    classes = _classes(fields["target"])
    labels = tuple(dict.fromkeys(known.label for known in classes))
    # Without contrasts there is no good and bad: constructions and classes make profiles.
    sections = fields["contrasts"].fields() if "contrasts" in fields else {}
    contrasts = {name: _contrast(name, section, constructions, labels) for name, section in sections.items()}
    shown = tuple(dict.fromkeys(known.rendering for known in classes))
    faults = fields["faults"].fields() if "faults" in fields else {}
    return Contrasts(
        name=root.text("name"),
        langpair=langpair,
        constructions=constructions,
        classes=classes,
        contrasts=contrasts,
        faults=tuple(_fault(name, section, constructions, shown, path) for name, section in faults.items()),
        version=root.text("version", ""),
        licence=root.text("licence", ""),
        description=root.text("description", ""),
        path=str(path),
    )


def read_construction(path: Path) -> Construction:
    """A file (or `-`) with the patterns of one construction, to be tried on a sentence."""
    return _construction(path.stem, parse(path))


def _construction(name: str, section: YamlNode) -> Construction:
    fields = section.only("any", "none", "keyword", "description", "subtypes")
    keyword = section.text("keyword", KEYWORD)
    subtypes = fields["subtypes"].fields() if "subtypes" in fields else {}
    return Construction(
        name=name,
        one_of=_some_patterns(section, keyword),
        none_of=_patterns(section, "none", keyword),
        keyword=keyword,
        description=section.text("description", ""),
        subtypes=tuple(_subtype(subtype, entry, keyword) for subtype, entry in subtypes.items()),
    )


def _subtype(name: str, section: YamlNode, keyword: str) -> Subtype:
    section.only("any", "none", "description")
    if name == OTHER:
        section.fail(f"{OTHER!r} is the name of what fits no subtype", "choose another name")
    return Subtype(
        name,
        _some_patterns(section, keyword),
        _patterns(section, "none", keyword),
        section.text("description", ""),
    )


def _classes(section: YamlNode) -> tuple[TargetClass, ...]:
    found: dict[str, TargetClass] = {}
    for entry in section.sequence():
        fields = entry.only("name", "any", "none", "bridge", "not_under", "as", "shown_as", "description")
        name = entry.text("name")
        if name in found:
            fields["name"].fail(
                f"the class {name!r} stands twice", "join the two, or give one another name and an `as`"
            )
        if "not_under" in fields and not entry.flag("bridge"):
            fields["not_under"].fail("`not_under` is for a class with `bridge: true`", "add it, or remove this")
        found[name] = TargetClass(
            name=name,
            one_of=_some_patterns(entry, ALIGNED),
            none_of=_patterns(entry, "none", ALIGNED),
            bridge=entry.flag("bridge"),
            stands_for=entry.text("as", ""),
            not_under=tuple(entry.texts("not_under")),
            shown_as=entry.text("shown_as", ""),
            description=entry.text("description", ""),
        )
    if not found:
        section.fail("there are no classes", "write at least one with a name and patterns")
    return tuple(found.values())


def _contrast(
    name: str, section: YamlNode, constructions: dict[str, Construction], labels: tuple[str, ...]
) -> Contrast:
    fields = section.only("source", "any", "none", "good", "bad", "category", "tests")
    source = section.text("source")
    keyword = constructions[_known(fields["source"], "construction", source, constructions)].keyword
    good, bad = _labels(section, "good", labels), _labels(section, "bad", labels)
    if "good" not in fields:
        section.fail(
            f"the contrast {name!r} does not say which classes are good", "write good: [class, …], or good: [] for none"
        )
    for label in good:
        if label in bad:
            fields["bad"].fail(f"the class {label!r} is good and bad", "remove it from one of the two")
    return Contrast(
        name=name,
        construction=source,
        good=good,
        # Without `bad:` every class that is not good is bad, unless none is good; an empty list means that none is.
        bad=bad if "bad" in fields or not good else tuple(label for label in labels if label not in good),
        one_of=_patterns(section, "any", keyword),
        none_of=_patterns(section, "none", keyword),
        category=section.text("category", constructions[source].name),
        tests=section.text("tests", ""),
    )


def _fault(
    name: str, section: YamlNode, constructions: dict[str, Construction], shown: tuple[str, ...], path: Path
) -> Fault:
    fields = section.only("source", "renderings", "most", "share", "any", "none", "description", "read")
    source = _known(fields["source"], "construction", section.text("source"), constructions)
    renderings, most = _labels(section, "renderings", shown), _labels(section, "most", shown)
    if not renderings or not most or set(renderings) & set(most):
        section.fail(f"the fault {name!r} has no renderings that differ from `most`", "name some for both")
    try:
        share = float(section.text("share"))
    except ValueError:
        share = 0.0
    if not 0.5 < share <= 1:
        section.fail(f"the share of {name!r} is no number above 0.5 and up to 1", "write share: 0.7")
    read = section.text("read", "")
    if read and not (path.parent / read).is_file():
        fields["read"].fail(f"there is no file {read!r} beside {path.name}", "name a file with read verdicts")
    return Fault(
        name=name,
        construction=source,
        renderings=renderings,
        most=most,
        share=share,
        one_of=_patterns(section, "any", ALIGNED),
        none_of=_patterns(section, "none", ALIGNED),
        description=section.text("description", ""),
        read=str(path.parent / read) if read else "",
    )


def _labels(section: YamlNode, name: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    if not section.texts(name):
        return ()
    return tuple(_known(entry, "class", entry.value(), labels) for entry in section.fields()[name].sequence())


def _some_patterns(section: YamlNode, keyword: str) -> tuple[Pattern, ...]:
    found = _patterns(section, "any", keyword)
    if not found:
        section.fail("'any' has no pattern", "write at least one")
    return found


def _patterns(section: YamlNode, name: str, keyword: str) -> tuple[Pattern, ...]:
    field = section.fields().get(name)
    if field is None or (field.is_text and not field.value()):
        return ()
    return tuple(_pattern(entry, keyword) for entry in field.sequence())


def _pattern(section: YamlNode, keyword: str) -> Pattern:
    nodes: dict[str, Node] = {}
    for entry in section.sequence():
        node = _node(entry, nodes)
        nodes[node.id] = node
        if len(nodes) > MOST_NODES:
            entry.fail(f"a pattern of more than {MOST_NODES} nodes", "divide it into several patterns")
    if keyword not in nodes:
        section.fail(f"the pattern has no node {keyword!r}", f"its nodes are: {', '.join(nodes) or 'none'}")
    return tuple(nodes.values())


def _node(section: YamlNode, earlier: dict[str, Node]) -> Node:
    """A node of a pattern. As in spaCy the first has no left side, and every other refers to an earlier one."""
    fields = section.only(*_NODE_KEYS)
    node_id = section.text("RIGHT_ID")
    if node_id in earlier:
        fields["RIGHT_ID"].fail(f"the node {node_id!r} stands twice", "give each node of a pattern its own RIGHT_ID")
    conditions = _conditions(fields["RIGHT_ATTRS"]) if "RIGHT_ATTRS" in fields else ()
    if not earlier:
        if "LEFT_ID" in fields or "REL_OP" in fields:
            section.fail("the first node of a pattern has no LEFT_ID or REL_OP", f"it has {' and '.join(_FIRST_KEYS)}")
        return Node(node_id, conditions)
    if "LEFT_ID" not in fields or "REL_OP" not in fields:
        section.fail(f"the node {node_id!r} is not connected", "give it a LEFT_ID and a REL_OP")
    left, operator = section.text("LEFT_ID"), _known(fields["REL_OP"], "operator", section.text("REL_OP"), OPERATORS)
    if left not in earlier:
        fields["LEFT_ID"].fail(
            f"the node {node_id!r} is not connected: no earlier node is called {left!r}",
            f"earlier nodes: {', '.join(earlier)}",
        )
    return Node(node_id, conditions, left, operator)


def _conditions(section: YamlNode) -> tuple[Condition, ...]:
    found: list[Condition] = []
    for name, value in section.only("ORTH", *ATTRIBUTES).items():
        # spaCy's older name for TEXT.
        attribute = _known(value, "attribute", "TEXT" if name == "ORTH" else name, ATTRIBUTES)
        if value.is_mapping:
            found += (_condition(attribute, predicate, entry) for predicate, entry in value.only(*PREDICATES).items())
        else:
            found.append(Condition(attribute, "==", _values(attribute, [value])))
    return tuple(found)


def _condition(attribute: Attribute, name: str, section: YamlNode) -> Condition:
    predicate = _known(section, "predicate", name, PREDICATES)
    if predicate in _SETS and attribute != "MORPH":
        section.fail(f"{predicate} is for MORPH, not for {attribute}", "use IN or NOT_IN")
    if predicate in _COMPARISONS and attribute != "LENGTH":
        section.fail(f"{predicate} is for LENGTH, not for {attribute}", "write the value itself, or IN or NOT_IN")
    if predicate == "REGEX" and attribute == "LENGTH":
        section.fail("LENGTH is a number and has no REGEX", f"use {' '.join(_COMPARISONS)}")
    entries = list(section.sequence()) if predicate in _LISTS else [section]
    if predicate == "REGEX":
        _check_regex(section)
        return Condition(attribute, predicate, (section.value(),))
    return Condition(attribute, predicate, _values(attribute, entries, whole=predicate in ("IN", "NOT_IN")))


def _values(attribute: Attribute, entries: Iterable[YamlNode], whole: bool = False) -> tuple[str, ...]:
    """The values of a condition. Features become pairs of one value each, except where the `whole` is compared."""
    texts = [(entry, entry.value()) for entry in entries]
    if attribute == "LENGTH":
        for entry, text in texts:
            if not text.isdecimal():
                entry.fail(f"LENGTH is a number, not {text!r}")
    if attribute != "MORPH":
        return tuple(text for _, text in texts)
    pairs: list[str] = []
    for entry, text in texts:
        for pair in text.split("|") if text else ():
            name, equals, values = pair.partition("=")
            if not (name and equals and values):
                entry.fail(f"{pair!r} is not a feature", "write it like this: Mood=Cnd")
            # `Case=Acc,Dat` is two features, as in `Token.feature_pairs`.
            pairs += (f"{name}={value}" for value in values.split(","))
    return tuple(text for _, text in texts) if whole else tuple(dict.fromkeys(pairs))


def _check_regex(section: YamlNode) -> None:
    try:
        compiled_pattern(section.value(), "")
    except PatternError as error:
        place = f" at position {error.position}" if error.position is not None else ""
        section.fail(f"the regular expression {section.value()!r} does not compile: {error}{place}")


def _known(section: YamlNode, kind: str, name: str, names: Iterable[N]) -> N:
    """The name, if it is one of these; otherwise an error with a suggestion."""
    there = list(names)
    if name not in there:
        near = get_close_matches(name, there, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(there)}"
        section.fail(f"unknown {kind} {name!r}", hint)
    # Not `name` itself: the one in the list has the type that the caller needs.
    return next(known for known in there if known == name)
