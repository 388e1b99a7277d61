"""The table's pages: /, /play/{variant}, /play/{variant}/{number} and /game/{id}."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from django.conf import settings

from bakers.rules.deals import LAST_DEAL_NUMBER, deal
from bakers.rules.variants import VARIANTS


class Page(HTMLParser):
    """The elements of a page with their attributes, and the text in them."""

    def __init__(self, response) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(response.content.decode())

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data):
        self.text += data

    def find(self, tag):
        """Return the attributes of all elements of a sort."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def boot(self):
        """What the page tells the browser's code."""
        [table] = [attributes for attributes in self.find("main") if attributes.get("id") == "table"]
        return json.loads(table["data-boot"])


def visit(client, path):
    response = client.get(path)
    assert response.status_code == 200
    return Page(response)


class TestWhatLiesOnIt:
    def test_is_a_random_deal_of_bakers_dozen_at_first(self, client, db):
        games = [visit(client, "/").boot["game"] for _ in range(3)]

        assert {game["variant"] for game in games} == {"bakers-dozen"}
        assert len({game["deal"] for game in games}) == 3
        for game in games:
            assert game["columns"] == deal(VARIANTS["bakers-dozen"], int(game["deal"])).seen_columns()

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_is_a_random_deal_of_the_variant_asked_for(self, client, db, variant):
        assert visit(client, f"/?variant={variant}").boot["game"]["variant"] == variant
        assert visit(client, f"/play/{variant}").boot["game"]["variant"] == variant

    @pytest.mark.parametrize(
        "query", ["variant=klondike", "variant=", "variant=%00", "variant[]=x", "x" * 2_000, "%ff=%fe"]
    )
    def test_is_bakers_dozen_when_no_such_variant_exists(self, client, db, query):
        assert visit(client, f"/?{query}").boot["game"]["variant"] == "bakers-dozen"

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_is_the_deal_of_the_number(self, client, api, variant):
        game = visit(client, f"/play/{variant}/477").boot["game"]

        assert game == api.get(f"deals/{variant}/477").json()

    def test_is_the_visitors_own_game_as_the_api_shows_it(self, api):
        state = api.play(api.start("spanish-patience"), "96", "9d")

        assert visit(api.browser, f"/game/{state['id']}").boot["game"] == api.state(state)

    def test_is_an_ended_game_too(self, api):
        state = api.start()
        api.resign(state)

        assert visit(api.browser, f"/game/{state['id']}").boot["game"]["status"] == "lost"

    @pytest.mark.parametrize(
        "path",
        ["/play/klondike", "/play/klondike/2", "/play/bakers-dozen/0", "/play/bakers-dozen/x", "/play/bakers-dozen/-1",
         f"/play/bakers-dozen/{LAST_DEAL_NUMBER + 1}", "/play/bakers-dozen/" + "1" * 5_000, "/play/bakers-dozen/%00",
         "/play/", "/play/bakers-dozen/", "/play/bakers-dozen/2/", "/play/bakers-dozen/٣", "/game/x", "/game/",
         "/game/00000000-0000-4000-8000-000000000000"],
    )  # fmt: skip
    def test_is_nothing_where_there_is_none(self, client, db, path):
        assert client.get(path).status_code == 404

    def test_is_the_largest_number_too(self, client, db):
        assert visit(client, f"/play/bakers-dozen/{LAST_DEAL_NUMBER}").boot["game"]["deal"] == str(
            LAST_DEAL_NUMBER
        )

    def test_is_nobody_elses_game(self, client, api):
        state = api.play(api.start(), "96")

        assert client.get(f"/game/{state['id']}").status_code == 404


class TestTheOfferToGoOn:
    def test_names_the_unfinished_game_played_last(self, api, frozen_clock):
        older = api.play(api.start(), "96")
        frozen_clock.advance(minutes=1)
        newer = api.play(api.start("good-measure"), "72", "1a")
        assert older["id"] != newer["id"]

        response = api.browser.get("/play/bakers-dozen/5")

        assert response.context["resume"] == {
            "id": newer["id"], "variant_name": "Good Measure", "kind": "casual", "ply": 2, "deal": "2", "board": None,
        }  # fmt: skip
        assert any(link.get("href") == f"/game/{newer['id']}" for link in Page(response).find("a"))

    def test_is_not_made_for_games_that_ended_or_have_no_move(self, api):
        api.resign(api.play(api.start(), "96"))
        api.start()

        assert api.browser.get("/").context["resume"] is None

    def test_is_not_made_to_others_or_beside_a_game(self, api, client):
        state = api.play(api.start(), "96")

        assert client.get("/").context["resume"] is None
        assert api.browser.get(f"/game/{state['id']}").context["resume"] is None


class TestThePage:
    PATHS = ["/", "/play/original-1883", "/play/good-measure/2", "/rules/bakers-dozen", "/nothing"]

    def test_tells_the_browser_every_variant(self, client, db):
        boot = visit(client, "/").boot

        assert list(boot["variants"]) == list(VARIANTS)
        for slug, data in boot["variants"].items():
            variant = VARIANTS[slug]
            assert (data["slug"], data["name"], data["columns"]) == (slug, variant.name, variant.columns)
            assert (data["fill"], data["covered"]) == (variant.fill.value, variant.covered)
            assert data["aces_start"] is bool(variant.aces_start)

    def test_names_the_token_cookie(self, client, db):
        [body] = visit(client, "/").find("body")

        assert body["data-csrf-cookie"] == settings.CSRF_COOKIE_NAME

    @pytest.mark.parametrize("path", PATHS)
    def test_has_nothing_inline_that_its_policy_forbids(self, client, db, path):
        response = client.get(path)
        page = Page(response)

        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        for tag, attributes in page.elements:
            assert tag != "style"
            assert "style" not in attributes
            assert not any(name.startswith("on") for name in attributes)
            assert not attributes.get("href", "").startswith("javascript:")
        assert all(script.get("src") for script in page.find("script"))

    @pytest.mark.parametrize("path", PATHS)
    def test_takes_everything_from_this_site(self, client, db, path):
        page = Page(client.get(path))

        for tag in ("script", "link", "img", "use"):
            for attributes in page.find(tag):
                address = attributes.get("src") or attributes.get("href", "")
                assert address.startswith(("/", "#"))
                assert not address.startswith("//")

    @pytest.mark.parametrize("path", PATHS)
    def test_can_be_framed_by_nobody_and_is_what_it_says(self, client, db, path):
        response = client.get(path)

        assert response.headers["X-Frame-Options"] == "DENY"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Referrer-Policy"] == "same-origin"
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"

    @pytest.mark.parametrize("path", ["/", "/play/original-1883", "/play/bakers-dozen/2"])
    def test_of_a_table_is_kept_by_nobody_but_its_browser(self, client, db, path):
        directives = set(client.get(path).headers["Cache-Control"].split(", "))

        assert {"private", "no-cache"} <= directives
        # That would lose the table when somebody comes back with the browser's button.
        assert "no-store" not in directives

    def test_of_a_game_is_kept_by_nobody_but_its_browser(self, api):
        state = api.start()
        response = api.browser.get(f"/game/{state['id']}")

        assert "private" in response.headers["Cache-Control"]
        assert "Cookie" in response.headers["Vary"]

    def test_shows_the_columns_without_scripts(self, client, db):
        page = visit(client, "/play/original-1883/2")

        text = " ".join(page.text.split())
        for column in page.boot["game"]["columns"]:
            assert " ".join(column) in text

    @pytest.mark.parametrize("text", ["</script><b>", '" onload="x', "'><img src=x>"])
    def test_escapes_what_it_is_given(self, client, db, text):
        response = client.get("/", {"variant": text})
        assert text not in response.content.decode()
        response = client.get(f"/play/{text.replace('/', '')}")
        assert text.replace("/", "") not in response.content.decode()
