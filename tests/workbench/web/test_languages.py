"""Texts stand on the pages in their language and direction, however the suite writes its codes."""

from pathlib import Path

import pytest

from assay.outputs import Collector, System
from assay.workbench.db.database import Store
from assay.workbench.files.importer import Import
from assay.workbench.people.credentials import local_user
from assay.workbench.state import State
from tests.suites.building import a_suite, an_item
from tests.workbench.web.clients import owner


@pytest.mark.parametrize(
    ("langpair", "source", "target", "name"),
    [
        ("it-de_CH", 'lang="it" dir="ltr"', 'lang="de-CH" dir="ltr"', "Italian to German (Switzerland)"),
        ("eng_Latn-zho_Hans", 'lang="en" dir="ltr"', 'lang="zh-Hans" dir="ltr"', "English to Simplified Chinese"),
        ("en-arz", 'lang="en" dir="ltr"', 'lang="arz" dir="rtl"', "English to Egyptian Arabic"),
        ("az_Arab-en", 'lang="az-Arab" dir="rtl"', 'lang="en" dir="ltr"', "Azerbaijani (Arabic) to English"),
    ],
)
def test_pages_name_the_languages(langpair: str, source: str, target: str, name: str, tmp_path: Path) -> None:
    store = Store.create(str(tmp_path / "assay.db"))
    state = State(store, local_user(store))
    assert state.local_user
    suite = a_suite(an_item("words/strada", "La strada."), langpair=langpair)
    collector = Collector(suite)
    collector.add(System("mine"), positions=[0], texts=["Die Strasse."])
    Import(suite, collector.outputs(), "test").run(store, state.local_user)
    client = owner(state)
    card = client.get("/queue", params={"suite": suite.name}).text
    assert f'class="sentence source" {source}>La strada.' in card
    assert f'class="sentence output" {target}>Die Strasse.' in card
    assert f'<span title="{name}">{langpair}</span>' in client.get("/").text
    assert f'"langpair":"{langpair}"' in client.get("/api/v1/suites").text
    store.close()
