"""A suggester that says what the test wrote down, at once and in that order.

opinions = Scripted(Opinion("waiting"), Opinion("ready", Suggestion(Verdict.FAIL, 0.7, "so it seems")))
opinions.questions      # what it was asked
"""

from collections.abc import Callable

from assay.suggest.suggester import Question
from assay.workbench.queue.suggester_pool import CachedSuggester, Opinion, Opinions


class Scripted(Opinions):
    """The last opinion is given again and again. `when_asked` looks at something before each answer."""

    def __init__(self, *said: Opinion, when_asked: Callable[[], object] = lambda: None) -> None:
        self.name = "sage"
        self.said = list(said)
        self.when_asked = when_asked
        self.questions: list[Question] = []
        self.langpairs: list[str] = []

    def of(self, langpair: str) -> CachedSuggester:
        self.langpairs.append(langpair)
        return _Said(self)

    def close(self) -> None: ...


class _Said(CachedSuggester):
    def __init__(self, script: Scripted) -> None:
        self.script = script

    def suggest(self, question: Question) -> Opinion:
        self.script.when_asked()
        self.script.questions.append(question)
        return self.script.said.pop(0) if len(self.script.said) > 1 else self.script.said[0]
