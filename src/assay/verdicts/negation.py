"""Sentences with a negation put in, by crude rules: what `assay lint --probe` tries right translations with.

    put_in("She bought the car.", "en", near=4)          # "She never bought the car."
    put_in("Sie hat das Auto gekauft.", "de", near=4)    # "Sie hat das Auto nicht gekauft."
    is_negated("Nobody came.", "en")                     # True

There is no parser here: verbs are known by lists of words and by their endings. A place is taken where the rule for
right translations has matched, or next to it, since that is what must not hold any more. Where no verb is found,
nothing is put in. The texts need not be good; they must not be right.
"""

import re
from collections.abc import Callable, Iterator

Insertion = tuple[int, int, str]
"""[start, end) of what is replaced, and what stands there instead."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

_NEGATIVE = {
    "en": r"\b(not|no|never|none|nobody|no one|nothing|neither|nor|nowhere|without|hardly|barely|cannot)\b|n't\b",
    "de": r"\b(nicht|nichts|nie|niemals|niemand\w*|kein\w*|weder|ohne|kaum|nirgend\w*)\b",
    "ru": r"\b(не|нет|ни|никогда|никто|никого|никому|ничего|ничто|нельзя|без|нигде|никак\w*)\b",
    "cs": r"\b(ne\w{2,}|ni(kdy|kdo|koho|komu|c|čeho|kde|kam|jak\w*)|není|žádn\w+|bez|ani)\b",
}


def is_negated(text: str, language: str) -> bool:
    """Whether a text has a negation already; of languages that are not known, nobody can tell."""
    return language in _NEGATIVE and bool(re.search(_NEGATIVE[language], text, re.IGNORECASE))


def put_in(sentence: str, language: str, *, near: int) -> str | None:
    """The sentence with a negation at the place that is nearest to `near`; None where none is found."""
    places = list(LANGUAGES[language](sentence))
    if not places:
        return None
    start, end, new = min(places, key=lambda place: (abs(place[0] - near), place))
    return sentence[:start] + new + sentence[end:]


# English: not behind an auxiliary; else never before the verb, so that its form stays.

_AUXILIARY = re.compile(
    r"(?:\b(?:am|is|are|was|were|have|has|had|will|would|can|could|shall|should|may|might|must|do|does|did|ought)"
    r"|(?<=\w)'(?:m|re|ve|ll|d)|(?<=\b(?:[Hh]e|[Ii]t))'s|(?<=\b(?:[Ss]he|who))'s|(?<=\b(?:[Tt]hat|what))'s)\b"
)
_SUBJECT = re.compile(r"\b(?:[Ii]|[Yy]ou|[Hh]e|[Ss]he|[Ii]t|[Ww]e|[Tt]hey|who) (?=[a-z])")
_PAST = re.compile(
    r"\b(?!(?:need|seed|speed|feed|weed|bed|red|shed|sled|hundred|indeed|wicked|naked|sacred)\b)[a-z]{2,}ed\b|\b(?:became"
    "|began|bit|blew|bought|broke|brought|built|burnt|came|caught|chose|cost|cut|drank|drew|drove|ate|fell|felt|fought"
    "|flew|forgot|found|froze|gave|got|grew|heard|held|hid|hit|hung|hurt|kept|knew|laid|led|lent|let|lost|made|meant|met"
    "|paid|put|ran|rang|rode|rose|said|sang|sat|saw|sent|set|shook|shot|showed|shut|slept|sold|spent|spoke|stole|stood"
    "|swam|taught|threw|told|took|tore|understood|went|woke|won|wore|wrote)\\b"
)


def _english(sentence: str) -> Iterator[Insertion]:
    found = [match.end() for match in _AUXILIARY.finditer(sentence)]
    yield from ((place, place, " not") for place in found)
    if not found:
        verbs = [match.end() for match in _SUBJECT.finditer(sentence)]
        verbs += [match.start() for match in _PAST.finditer(sentence)]
        yield from ((place, place, "never ") for place in verbs)


# German: nicht before the verbs at the end of a clause, else behind the finite copula, else at the end of the clause.

_CLAUSE = re.compile(r"[^,;:.!?–—\"„“»«()]+")
_PARTICLES = re.compile("ab|an|auf|aus|bei|durch|ein|fest|her|hin|los|mit|nach|um|vor|weg|weiter|zu|zurück|zusammen")
_SUBORDINATORS = re.compile(
    "dass|weil|wenn|ob|als|da|obwohl|damit|bevor|nachdem|während|sobald|solange|falls|indem|bis|seit|wie|wer|was|wo|wann"
    "|warum|der|die|das|den|dem|dessen|deren|welche[rs]?"
)
_COPULA = re.compile("bin|bist|ist|sind|seid|warst|wart|war|waren|wird|werden|wurden?|bleibt|blieben|blieb")
_LAST_VERB = re.compile(
    r"(?:\w*ge\w+(?:t|en)|(?:be|ver|er|ent|zer|miss|über|unter|hinter|wider)\w+(?:t|en)|\w+iert|\w+(?:en|ern|eln)"
    r"|worden|sein|kann|konnte|will|wollte|soll|sollte|muss|musste|darf|durfte|hat|habe|hatte|hätte|ist|sei|war|wäre"
    r"|wird|wurde|würde)\Z"
)


def _german(sentence: str) -> Iterator[Insertion]:
    for clause in _CLAUSE.finditer(sentence):
        words = list(_WORD.finditer(sentence, clause.start(), clause.end()))
        if len(words) < 2:
            continue
        first = len(words)
        # A subordinate clause ends in its finite verb, whatever that looks like.
        has_particle = bool(_PARTICLES.fullmatch(words[-1][0]))
        if has_particle or (clause.start() and _SUBORDINATORS.fullmatch(words[0][0])):
            first -= 1
        while (
            not has_particle and first > 1 and words[first - 1][0].islower() and _LAST_VERB.match(words[first - 1][0])
        ):
            first -= 1
        copula = next((word.end() for word in words if _COPULA.fullmatch(word[0].lower())), None)
        if first < len(words):
            yield words[first].start(), words[first].start(), "nicht "
        elif copula is not None:
            yield copula, copula, " nicht"
        else:
            yield words[-1].end(), words[-1].end(), " nicht"


# Russian: не before the verb. Nouns that end like verbs are listed, the commonest.

_RUSSIAN_VERB = re.compile(
    r"\b(?!(?:если|или|ли|мать|пять|шесть|семь|восемь|девять|десять|часть|дверь|тетрадь|кровать|площадь|лошадь|жизнь|путь"
    r"|опять|конфет|букет|пакет|балет|портрет|секрет|газет|монет|планет|предмет|совет|билет|свет|цвет|ответ|обед|лет|нет|кабинет|интернет|минут|институт|этим|всем|чем|тем|им|ним|моим"
    r"|твоим|своим|школа|гости|кости|новости|области|части|крепости|скорости|радости|почти|село|тепло|дело|тело|стекло|мыло|весело|мало|около|сила|скала|пчела|или|дали|мебель|брат|салат"
    r"|солдат|адвокат|взгляд|назад|сад|кредит|магнит|аппетит|смысл|стул|угол|стол|посол|футбол|отдел|пол|зал|канал|сигнал)\b)"
    r"[а-яё]{2,}(?:[аяиеёоыу]л(?:а|о|и)?(?:с[ья])?|[её]т(?:ся)?|ит(?:ся)?|[юу]т(?:ся)?|[ая]т(?:ся)?|[её]шь(?:ся)?"
    r"|ишь(?:ся)?|(?:[её]|и)те(?:сь)?|[аяиеоыу]ть(?:ся)?|чь|[йсз]ти)\b|\b(?:был|была|было|были|есть|буду|будешь|будет|будем"
    r"|будете|будут|может|могу|можно|нужно|надо|должен|должна|должны|пора)\b",
    re.IGNORECASE,
)


def _russian(sentence: str) -> Iterator[Insertion]:
    yield from ((verb.start(), verb.start(), "не ") for verb in _RUSSIAN_VERB.finditer(sentence))


# Czech: ne- before the verb, není for je. The auxiliary of the past (jsem, jsi) is not negated, its participle is.

_CZECH_VERB = re.compile(
    r"\b(?!(?:pravidl|jídl|divadl|letadl|křídl|mýdl|zrcadl|sídl|kouzl|kol)[aoue]m?\b|(?:škola|škole|školy|jídlo|jídla|divadlo|divadla|kapela|číslo|čísla|světlo|teplo|skla|skála|vila|síla|chvíle"
    r"|stůl|díl|cíl|kostel|hotel|přítel|učitel|ředitel|model|pytel|manžel|manželi|nebo|svět|květ|deset|devět|pět|dvacet"
    r"|padesát|čtyřicet|internet|paměť|let|aut|set|pět|zpět|byt|být|chuť|kout|prut|kraj)\b)"
    r"[a-záčďéěíňóřšťúůýž]{2,}(?:l|la|lo|li|ly|uje|uji|uješ|ujeme|ujete|ují|ujou|at|it|ít|et|ět|out)\b"
    r"|\b(?:má|mám|máš|máme|máte|mají|může|můžu|mohu|můžeš|můžeme|můžete|mohou|můžou|musí|musím|musíš|musíme|chce|chci"
    r"|chceš|chceme|chtějí|ví|vím|víš|víme|bude|budu|budeš|budeme|budete|budou|umí|smí|jde|dá|zná|vidí|slyší|bojí|leží|stojí"
    r"|sedí|myslí|dělá|hraje|hrát|spát|stát|dát|čeká|zdá|lze|jel|šel|byl|měl|chtěl)\b",
    re.IGNORECASE,
)
_CZECH_IS = re.compile(r"\b(?:je|jsou)\b", re.IGNORECASE)


def _czech(sentence: str) -> Iterator[Insertion]:
    for verb in _CZECH_VERB.finditer(sentence):
        word = verb[0]
        yield verb.start(), verb.end(), f"Ne{word.lower()}" if word[:1].isupper() else f"ne{word}"
    for verb in _CZECH_IS.finditer(sentence):
        yield verb.start(), verb.end(), "není" if verb[0].lower() == "je" else "nejsou"


LANGUAGES: dict[str, Callable[[str], Iterator[Insertion]]] = {
    "en": _english,
    "de": _german,
    "ru": _russian,
    "cs": _czech,
}
"""Target languages in which negations can be put in."""
