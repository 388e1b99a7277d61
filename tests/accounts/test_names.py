"""Display names: what is accepted, and that nobody gets one that looks like somebody else's."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections import Counter

import pytest
from confusable_homoglyphs.confusables import confusables_data
from django.db import IntegrityError, transaction
from django.test import Client
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from accounts import names
from accounts.models import User
from tests.parallel import at_once

GOOD = [
    "Ann", "ann b", "ann_b.c-d", "42", "José", "Zoë", "Łukasz", "Søren", "Weiß", "Straße", "İpek", "Đặng", "Анна",
    "Сара", "Георгий", "Юля", "Ωμέγα", "Σωκράτης", "Νίκος", "Γιάννης", "Ελένη", "山田太郎", "スーパーマリオ",
    "山田さん", "김철수", "हिंदी", "ไทยแลนด์", "سارة", "דוד", "Арман", "Аня 2", "x" * 24, "Ab", "0lga",
]  # fmt: skip
BAD = [
    "", "a", "x" * 25, " Ann", "Ann ", "Ann  B", "Ann\tB", "Ann\nB", "Ann\u00a0\u00a0B", "Ann!", "ann@example.org",
    "Ann/B", "<b>Ann</b>", "Ann’s", "--", ". .", "Annа", "Аnn", "Annα", "Ann漢", "An\u200bn", "An\u202en", "An\u00adn",
    "Ann\u0301\u0301", "\u0301Ann", "Ann😀", "\u1160\u1160", "\u3164\u3164", "ʻOkina", "Ann\ue000",
    "Ann\ud800", "Ann\x00", "१२", "ＡＢ！", "И漢", "カ김", "ᴀɴɴ", "ꓮꓠ", "𐌀𐌁", "\u0e48\u0e48", "ก\u0e48\u0e49\u0e4a",
]  # fmt: skip
ALIKE = [
    ("Ann", "ann", "ANN", "A.n.n", "a nn", "_Ann_", "Ann-", "Ａｎｎ"),
    ("Olga", "0lga", "O1ga", "oIga", "olga"),
    ("Ian", "lan", "1an", "ian", "lAN"),
    ("Mary", "rnary", "MARY", "rnArY"),
    ("William", "vvilliam", "Wi1Iiam", "w i l l i a m"),
    ("Capa", "Сара", "cAPA"),
    ("NAN", "ΝΑΝ", "nan"),
    ("Strasse", "Straße", "STRASSE"),
    ("José", "Jose\u0301", "JOSÉ", "J0sé"),
    ("Aerin", "Ærin", "æRIN"),
    ("Lena", "lena", "Iena", "1ena"),
]
RESERVED = [
    "admin", "Admin", "ADMIN", "adm1n", "Adrnin", "a d m i n", "admin_2", "Admin 007", "St4ff.staff"[6:], "Moderator",
    "the moderator", "Baker's".replace("'", ""), "Baker", "Bakers Dozen", "bakers.dozen", "BAKERS-D0ZEN",
    "Baker5 dozen".replace("5", "s"), "bakersdozen fan", "Support", "root", "R00T", "system", "deleted", "guest", "me",
]  # fmt: skip


def is_alike(first: str, second: str) -> bool:
    """Whether two names are the same to the eye: letter for letter in other cases, or such as the tables call alike."""
    pairs = list(itertools.zip_longest(letters(first), letters(second), fillvalue=""))
    return all(alike(one, other) for one, other in pairs)


def letters(name: str) -> str:
    return re.sub(r"[ ._-]", "", name)


@functools.cache
def alike(first: str, second: str) -> bool:
    same = {first, names.fold(first)} & {second, names.fold(second)}
    return bool(same or looks_like(first) & looks_like(second) or {first, second} == {"0", "o"})


@functools.cache
def looks_like(char: str) -> frozenset[str]:
    """Return a character and what the tables say it is taken for."""
    others = [entry["c"] for entry in confusables_data.get(char, ())]
    return frozenset({char, *others} if len(others) == 1 else {char})


class TestOneName:
    @pytest.mark.parametrize("name", GOOD)
    def test_a_proper_one_is_accepted(self, name):
        assert names.check(name) == unicodedata.normalize("NFKC", name)

    @pytest.mark.parametrize("name", BAD)
    def test_another_is_refused_with_a_reason(self, name):
        with pytest.raises(names.NameRefused, match=r"\w{3}"):
            names.check(name)

    @pytest.mark.parametrize("name", RESERVED)
    def test_the_sites_own_are_nobodys(self, name):
        with pytest.raises(names.NameRefused, match="kept for the site"):
            names.check(name)

    @pytest.mark.parametrize("name", ["ναν", "νον", "βοο", "ßoo", "υο", "Гора"])
    def test_what_could_be_read_in_other_letters_than_its_key_says_is_refused(self, name):
        with pytest.raises(names.NameRefused, match="other letters"):
            names.check(name)

    @pytest.mark.parametrize("plain", sorted(names.PLAIN))
    def test_no_plain_letter_is_another_but_for_those_that_look_alike(self, plain):
        same = {other for other in names.PLAIN if names.key(other) == names.key(plain)}
        assert same == next((group for group in ({"0", "o"}, {"1", "i", "l"}) if plain in group), {plain})


class TestTwoNames:
    @pytest.mark.parametrize("group", ALIKE, ids=lambda group: group[0])
    def test_which_look_alike_have_one_key(self, group):
        assert len({names.key(name) for name in group}) == 1

    def test_which_do_not_have_two(self):
        keys = Counter(names.key(names.check(name)) for name in GOOD)
        assert max(keys.values()) == 1


LETTERS = st.characters(categories=("L", "M", "Nd")) | st.sampled_from("abilmnorstvw01IOABCΑΒΝανοβσс аер._- ")
ANY_NAME = st.text(LETTERS, min_size=1, max_size=26) | st.text(max_size=26)
#: Letters of which the tables know another, and scripts that have many of them.
CONFUSABLE = sorted(
    char for char in confusables_data
    if len(char) == 1 and names.script_of(char) in {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "HEBREW"}
)  # fmt: skip
SPOOFABLE = st.lists(st.sampled_from([*CONFUSABLE, *"abcdefghijklmnopqrstuvwxyz01"]), min_size=2, max_size=6)


@settings(max_examples=400, deadline=None)
@given(name=ANY_NAME)
@example(name="ﷺﷺ")
@example(name="ŉŉ")
@example(name="ΐΰ")
def test_whatever_is_accepted_keeps_the_rules(name):
    try:
        shown = names.check(name)
    except names.NameRefused:
        return
    assert 2 <= len(shown) <= 24
    assert shown == unicodedata.normalize("NFKC", shown) == names.check(shown)
    assert not re.search(r"^ | $|  ", shown)
    assert all(char in " ._-0123456789" or unicodedata.category(char)[0] in "LM" for char in shown)
    assert names.is_one_script({names.script_of(char) for char in shown} - {None})
    assert 1 <= len(names.key(shown)) <= 128
    assert names.key(shown) == names.key(shown.upper()) or len(shown.upper()) != len(shown)
    assert names.key(shown) == names.key(shown.casefold())


@st.composite
def doubles(draw):
    """A name, and another in which each letter is one that looks like it."""
    first = draw(SPOOFABLE)
    second = [draw(st.sampled_from(sorted(stand_ins(char)))) for char in first]
    return "".join(first), "".join(second)


@functools.cache
def stand_ins(char: str) -> set[str]:
    direct = {entry["c"] for entry in confusables_data.get(char, ()) if len(entry["c"]) == 1}
    through = {
        entry["c"] for hub in direct for entry in confusables_data.get(hub, ()) if len(entry["c"]) == 1
    }
    return {char, char.lower(), char.upper(), *direct, *through} - {""}


@settings(max_examples=1_500, deadline=None)
@given(pair=doubles())
@example(pair=("ναν", "vav"))
@example(pair=("ßoo", "βοο"))
@example(pair=("Γορα", "Гора"))
def test_two_that_look_alike_are_never_both_accepted(pair):
    accepted = []
    for name in pair:
        try:
            accepted.append(names.check(name))
        except names.NameRefused:
            return
    first, second = accepted
    assume(is_alike(first, second))
    assert names.key(first) == names.key(second)


@pytest.mark.django_db
class TestChoosing:
    def test_stores_the_name_its_key_and_the_answer(self, new_user):
        user = new_user()
        assert names.choose(user_id=user.pk, name="Ａnn", is_listed=True) == "Ann"
        user.refresh_from_db()
        assert (user.display_name, user.name_key, user.is_listed) == ("Ann", "ann", True)

    def test_a_look_alike_of_another_player_is_taken(self, new_user):
        names.choose(user_id=new_user().pk, name="Olga", is_listed=False)
        other = new_user()
        with pytest.raises(names.NameTaken):
            names.choose(user_id=other.pk, name="0LGA", is_listed=True)
        other.refresh_from_db()
        assert (other.display_name, other.name_key, other.is_listed) == ("", None, False)

    def test_ones_own_may_be_written_otherwise(self, new_user):
        user = new_user()
        names.choose(user_id=user.pk, name="Olga", is_listed=False)
        assert names.choose(user_id=user.pk, name="OLGA", is_listed=True) == "OLGA"

    def test_a_name_that_was_given_up_is_free(self, new_user):
        first, second = new_user(), new_user()
        names.choose(user_id=first.pk, name="Olga", is_listed=False)
        names.choose(user_id=first.pk, name="Vera", is_listed=False)
        assert names.choose(user_id=second.pk, name="Olga", is_listed=False) == "Olga"

    def test_nobody_is_listed_without_a_name(self, new_user):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=new_user().pk).update(is_listed=True)


@pytest.mark.django_db(transaction=True)
def test_of_many_who_choose_it_at_the_same_moment_one_gets_it(new_user):
    users = [new_user() for _ in range(8)]
    spellings = ["Olga", "0lga", "OLGA", "olga", "O1ga", "o l g a", "Olga.", "oIga"]

    def choose(user, name):
        try:
            return names.choose(user_id=user.pk, name=name, is_listed=True)
        except names.NameTaken:
            return None

    got = at_once([functools.partial(choose, *each) for each in zip(users, spellings, strict=True)])

    assert len([name for name in got if name]) == 1
    assert User.objects.filter(name_key=names.key("Olga"), is_listed=True).count() == 1


@pytest.mark.django_db
class TestThePage:
    @pytest.fixture
    def user(self, new_user):
        return new_user()

    @pytest.fixture
    def client(self, user):
        client = Client()
        client.force_login(user)
        return client

    def test_assumes_no_answer(self, client):
        page = client.get("/accounts/name/").content.decode()
        assert page.count('type="radio"') == 2
        assert " checked>" not in page

    @pytest.mark.parametrize(("answer", "listed"), [("yes", True), ("no", False)])
    def test_takes_a_name_and_an_answer(self, client, user, answer, listed):
        response = client.post("/accounts/name/", {"name": "Ann", "listed": answer})
        assert (response.status_code, response["Location"]) == (302, "/accounts/")
        user.refresh_from_db()
        assert (user.display_name, user.is_listed) == ("Ann", listed)
        page = client.get("/accounts/name/").content.decode()
        assert 'value="Ann"' in page
        assert page.count(" checked>") == 1
        assert re.search(f'value="{answer}"[^>]* checked>', page)

    def test_a_space_that_a_keyboard_adds_is_no_part_of_it(self, client, user):
        client.post("/accounts/name/", {"name": " Ann Otter ", "listed": "no"})
        user.refresh_from_db()
        assert user.display_name == "Ann Otter"

    @pytest.mark.parametrize(
        ("body", "text"),
        [
            ({"name": "Ann"}, "Say yes or no."),
            ({"name": "Ann", "listed": "perhaps"}, "perhaps is not one"),
            ({"name": "", "listed": "yes"}, "Choose a name."),
            ({"listed": "yes"}, "Choose a name."),
            ({"name": "A" * 2_000, "listed": "yes"}, "at most"),
            ({"name": "A" * 25, "listed": "yes"}, "2 to 24 characters"),
            ({"name": "Ann\u00a0", "listed": "yes"}, "Spaces stand between words"),
            ({"name": "Ann\x00", "listed": "yes"}, "Null characters"),
            ({"name": "admin", "listed": "yes"}, "kept for the site"),
            ({"name": "0lga", "listed": "yes"}, "is taken"),
            ({"name": "<script>", "listed": "yes"}, "&lt;script&gt;"),
        ],
    )
    def test_says_what_is_wrong_and_changes_nothing(self, client, user, new_user, body, text):
        names.choose(user_id=new_user().pk, name="Olga", is_listed=True)
        response = client.post("/accounts/name/", body)
        assert response.status_code == 200
        assert text in response.content.decode()
        assert "<script>" not in response.content.decode()
        user.refresh_from_db()
        assert (user.display_name, user.is_listed) == ("", False)

    def test_the_account_asks_until_there_is_a_name_and_then_no_more(self, client, user):
        assert "What should others call you?" in client.get("/accounts/").content.decode()
        assert "What should others call you?" not in client.get("/").content.decode()
        names.choose(user_id=user.pk, name="Ann", is_listed=False)
        page = client.get("/accounts/").content.decode()
        assert "What should others call you?" not in page
        assert "Leaderboards don’t show it." in page
