"""Who may do what: every endpoint of the site, asked by everybody it could matter to.

The rows are compared with the addresses themselves, so that a new endpoint fails here until somebody has thought
about whose it is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import pytest

from accounts.models import Statistics
from tests.conftest import ApiClient
from tests.daily import days
from tests.database import rows
from tests.endpoints import Endpoint, endpoints

#: Who asks for whose game. "nobody" never played, nor has a session. Owners come last, since they may change it.
ASKERS = {
    "nobody": "guest",
    "other guest": "guest",
    "other user": "user",
    "guest for user's": "user",
    "user for guest's": "guest",
    "staff": "user",
    "guest": "guest",
    "user": "user",
}
GUESTS = {"nobody", "other guest", "guest for user's", "guest"}

#: A status; or where a 302 leads, so that what was refused can be told from what was done.
Answer = int | str
#: Refused: one must say first who one is, or show it once more, and comes back then.
SIGN_IN = "/accounts/login/?next={path}"
SHOW_WHO = "/accounts/reauthenticate/?next={path}"
#: There is nothing that could be gone on with.
DOOR = "/accounts/login/"
SIGNED_OUT = "/accounts/signed-out/"
HOME = "/"


@dataclass(frozen=True)
class Row:
    """What an endpoint answers: to everybody the same, or to the owner and to all others.

    `guest` is what it answers to whoever hasn't signed in, and `staff` to staff, where that isn't the same.
    """

    owner: Answer
    others: Answer
    body: dict[str, Any] | None = None
    query: str = ""
    guest: Answer | None = None
    staff: Answer | None = None

    def expected(self, asker: str) -> Answer:
        """Return what somebody who asks is answered."""
        if asker in GUESTS and self.guest is not None:
            return self.guest
        if asker == "staff" and self.staff is not None:
            return self.staff
        return self.owner if asker in {"guest", "user"} else self.others


def everybody(answer: Answer) -> Row:
    """Return the row of what is the same for all."""
    return Row(answer, answer)


def account(answer: Answer, *, guest: Answer = SIGN_IN) -> Row:
    """Return the row of a page about one's own account; guests are sent to sign in."""
    return Row(answer, answer, guest=guest)


def staff_only(answer: Answer, *, guest: Answer = "/admin/login/?next={path}") -> Row:
    """Return the row of a page for staff; guests are sent to sign in, and for players it isn't there."""
    return Row(404, 404, guest=guest, staff=answer)


EVERYBODY = everybody(200)
TABLE = {
    "GET /": EVERYBODY,
    "GET /healthz": EVERYBODY,
    "GET /healthz/ready": EVERYBODY,
    "GET /play/<str:variant>": EVERYBODY,
    "GET /play/<str:variant>/<str:number>": EVERYBODY,
    "GET /deal/<str:variant>/<str:number>": EVERYBODY,
    "GET /questions": EVERYBODY,
    "GET /rules/<str:variant>": EVERYBODY,
    "GET /game/<uuid:game_id>": Row(200, 404),
    "GET /daily/<str:variant>": EVERYBODY,
    # Nobody has made a board of that day.
    "GET /daily/<str:variant>/<str:date>": everybody(404),
    "GET /leaderboards/<str:contest>/<str:variant>": EVERYBODY,
    "GET /archive/<str:variant>": EVERYBODY,
    "GET /archive/<str:variant>/<str:month>": EVERYBODY,
    # Nobody of these has said yes to being shown.
    "GET /u/<str:name>": everybody(404),
    "GET /api/deals/<str:variant>": EVERYBODY,
    "GET /api/deals/<str:variant>/<str:number>": EVERYBODY,
    "POST /api/deals": Row(200, 200, {"variant": "bakers-dozen", "layout": "PySolFC 2"}),
    "GET /api/games": EVERYBODY,
    "POST /api/games": Row(201, 201, {"variant": "bakers-dozen", "kind": "casual"}),
    "GET /api/games/<uuid:game_id>": Row(200, 404),
    "POST /api/games/<uuid:game_id>/moves": Row(
        200, 404, {"request_id": "request-1", "version": 1, "at": 1, "moves": ["3d"]}
    ),
    "GET /api/games/<uuid:game_id>/verdict": Row(200, 404, query="?version=1"),
    "POST /api/games/<uuid:game_id>/hint": Row(200, 404, {"version": 1}),
    "POST /api/games/<uuid:game_id>/postmortem": Row(200, 404, {"version": 1}),
    "POST /api/games/<uuid:game_id>/solution": Row(200, 404, {"version": 1}),
    "POST /api/games/<uuid:game_id>/resign": Row(200, 404, {"request_id": "request-1", "version": 1}),
    "GET /api/daily/<str:variant>": EVERYBODY,
    # Nobody has made a board of that day.
    "GET /api/daily/<str:variant>/<str:date>": Row(404, 404),
    "GET /api/me/days/<str:variant>": account(200, guest=403),
    "GET /api/leaderboards/<str:contest>/<str:variant>": EVERYBODY,
    "GET /api/me/settings": account(200, guest=403),
    "PATCH /api/me/settings": Row(200, 200, {"theme": "dark"}, guest=403),
    "POST /api/solve": Row(200, 200, {"variant": "bakers-dozen", "deal": "2"}),
    "GET /api/me": account(200, guest=403),
    "GET /api/me/export": account(200, guest=403),
    "GET /api/me/stats": account(200, guest=403),
    # Ours of the account.
    "GET /accounts/": account(200),
    "GET /accounts/name/": account(200),
    "POST /accounts/name/": account(200),
    # Only for somebody who has just proved who they are.
    "GET /accounts/delete/": account(SHOW_WHO),
    "POST /accounts/delete/": account(SHOW_WHO),
    "GET /accounts/deleted/": EVERYBODY,
    "GET /accounts/statistics/": account(200),
    "GET /accounts/history/": account(200),
    # The game goes on, and has no replay yet.
    "GET /accounts/history/<uuid:game_id>": account(404),
    "GET /accounts/signed-out/": EVERYBODY,
    "POST /accounts/confirm-email/again/": everybody("/accounts/confirm-email/"),
    "POST /accounts/password/reset/confirm/again/": everybody("/accounts/password/reset/confirm/"),
    "POST /accounts/sessions/end/": account(SIGNED_OUT),
    "GET /dev/mail": EVERYBODY,
    # Ways in: who is in already is sent on.
    "GET /accounts/login/": account(HOME, guest=200),
    "POST /accounts/login/": account(HOME, guest=200),
    "GET /accounts/signup/": account(HOME, guest=200),
    "POST /accounts/signup/": account(HOME, guest=200),
    "GET /accounts/login/code/confirm/": account(HOME, guest=DOOR),
    "POST /accounts/login/code/confirm/": account(HOME, guest=DOOR),
    "GET /accounts/2fa/authenticate/": account(HOME, guest=DOOR),
    "POST /accounts/2fa/authenticate/": account(HOME, guest=DOOR),
    "GET /accounts/2fa/webauthn/login/": account(HOME, guest=DOOR),
    "POST /accounts/2fa/webauthn/login/": account(HOME, guest=DOOR),
    "GET /accounts/confirm-email/": account("/accounts/email/", guest=DOOR),
    "POST /accounts/confirm-email/": account("/accounts/email/", guest=DOOR),
    "GET /accounts/inactive/": EVERYBODY,
    "GET /accounts/password/reset/": EVERYBODY,
    "POST /accounts/password/reset/": EVERYBODY,
    "GET /accounts/password/reset/confirm/": everybody(DOOR),
    "POST /accounts/password/reset/confirm/": everybody(DOOR),
    "GET /accounts/password/reset/complete/": everybody("/accounts/password/reset/"),
    "POST /accounts/password/reset/complete/": everybody("/accounts/password/reset/"),
    "GET /accounts/password/reset/done/": EVERYBODY,
    # What signed-in users have.
    "GET /accounts/logout/": account(200, guest=SIGNED_OUT),
    "POST /accounts/logout/": everybody(SIGNED_OUT),
    "GET /accounts/email/": account(SHOW_WHO),
    "POST /accounts/email/": account(SHOW_WHO),
    "GET /accounts/password/change/": account(200),
    "POST /accounts/password/change/": account(200),
    "GET /accounts/password/set/": account("/accounts/password/change/"),
    "POST /accounts/password/set/": account("/accounts/password/change/"),
    "GET /accounts/sessions/": account(200),
    "POST /accounts/sessions/": account("/accounts/sessions/"),
    "GET /accounts/reauthenticate/": account(200),
    "POST /accounts/reauthenticate/": account(200),
    "GET /accounts/reauthenticate/code/": account(403),
    "POST /accounts/reauthenticate/code/": account(403),
    "GET /accounts/reauthenticate/code/confirm/": account(403),
    "POST /accounts/reauthenticate/code/confirm/": account(403),
    "GET /accounts/2fa/": account(200),
    "GET /accounts/2fa/reauthenticate/": account("/accounts/reauthenticate/"),
    "POST /accounts/2fa/reauthenticate/": account("/accounts/reauthenticate/"),
    "GET /accounts/2fa/recovery-codes/": account(404),
    "GET /accounts/2fa/recovery-codes/download/": account(404),
    "GET /accounts/2fa/recovery-codes/generate/": account(SHOW_WHO),
    "POST /accounts/2fa/recovery-codes/generate/": account(SHOW_WHO),
    "GET /accounts/2fa/totp/activate/": account(SHOW_WHO),
    "POST /accounts/2fa/totp/activate/": account(SHOW_WHO),
    "GET /accounts/2fa/totp/deactivate/": account(404),
    "POST /accounts/2fa/totp/deactivate/": account(404),
    "GET /accounts/2fa/webauthn/": account(200),
    "GET /accounts/2fa/webauthn/add/": account(SHOW_WHO),
    "POST /accounts/2fa/webauthn/add/": account(SHOW_WHO),
    "GET /accounts/2fa/webauthn/reauthenticate/": account("/accounts/reauthenticate/"),
    "POST /accounts/2fa/webauthn/reauthenticate/": account("/accounts/reauthenticate/"),
    "GET /accounts/2fa/webauthn/keys/<int:pk>/edit/": account(SHOW_WHO),
    "POST /accounts/2fa/webauthn/keys/<int:pk>/edit/": account(SHOW_WHO),
    "GET /accounts/2fa/webauthn/keys/<int:pk>/remove/": account(SHOW_WHO),
    "POST /accounts/2fa/webauthn/keys/<int:pk>/remove/": account(SHOW_WHO),
    # Staff.
    "GET /admin/": staff_only(200),
    "POST /admin/": staff_only(200),
    "GET /admin/^(?P<app_label>accounts|bakers|daily)/$": staff_only(200),
    "POST /admin/^(?P<app_label>accounts|bakers|daily)/$": staff_only(200),
    "GET /admin/accounts/user/": staff_only(200),
    "POST /admin/accounts/user/": staff_only(200),
    "GET /admin/accounts/user/<path:object_id>/change/": staff_only(200),
    "POST /admin/accounts/user/<path:object_id>/change/": staff_only(403),
    "GET /admin/accounts/user/<path:object_id>/history/": staff_only(200),
    "POST /admin/accounts/user/<path:object_id>/history/": staff_only(200),
    "GET /admin/accounts/statistics/": staff_only(200),
    "POST /admin/accounts/statistics/": staff_only(200),
    "GET /admin/accounts/statistics/<path:object_id>/change/": staff_only(200),
    "POST /admin/accounts/statistics/<path:object_id>/change/": staff_only(403),
    "GET /admin/accounts/statistics/<path:object_id>/history/": staff_only(200),
    "POST /admin/accounts/statistics/<path:object_id>/history/": staff_only(200),
    "GET /admin/bakers/game/": staff_only(200),
    "POST /admin/bakers/game/": staff_only(200),
    "GET /admin/bakers/game/<path:object_id>/change/": staff_only(200),
    "POST /admin/bakers/game/<path:object_id>/change/": staff_only(403),
    "GET /admin/bakers/game/<path:object_id>/history/": staff_only(200),
    "POST /admin/bakers/game/<path:object_id>/history/": staff_only(200),
    "GET /admin/daily/board/": staff_only(200),
    "POST /admin/daily/board/": staff_only(200),
    "GET /admin/daily/board/<path:object_id>/change/": staff_only(200),
    "POST /admin/daily/board/<path:object_id>/change/": staff_only(403),
    "GET /admin/daily/board/<path:object_id>/history/": staff_only(200),
    "POST /admin/daily/board/<path:object_id>/history/": staff_only(200),
    "GET /admin/daily/result/": staff_only(200),
    "POST /admin/daily/result/": staff_only(200),
    "GET /admin/daily/result/<path:object_id>/change/": staff_only(200),
    "POST /admin/daily/result/<path:object_id>/change/": staff_only(403),
    "GET /admin/daily/result/<path:object_id>/history/": staff_only(200),
    "POST /admin/daily/result/<path:object_id>/history/": staff_only(200),
    "GET /admin/jsi18n/": staff_only(200),
    "POST /admin/jsi18n/": staff_only(405),
    "GET /admin/login/": staff_only("/admin/", guest=SIGN_IN),
    "POST /admin/login/": staff_only("/admin/", guest=SIGN_IN),
    "GET /admin/logout/": staff_only(405, guest="/admin/"),
    "POST /admin/logout/": staff_only(HOME, guest="/admin/"),
    "GET /admin/password_change/": staff_only("/accounts/password/change/"),
    "POST /admin/password_change/": staff_only("/accounts/password/change/"),
    "GET /admin/password_change/done/": staff_only("/accounts/"),
    "POST /admin/password_change/done/": staff_only("/accounts/"),
}


@pytest.fixture
def ask(new_user):
    """Sends an endpoint's request for the game of one asker as another."""
    owner, other, third, staff = new_user(), new_user(), new_user(), new_user()
    staff.is_staff = True
    for each in (owner, other, third, staff):
        each.set_password("correct horse battery")
        each.save()
    guest, user = ApiClient(), ApiClient(owner)
    other_guest, other_user = ApiClient(), ApiClient(other)
    games = {}
    for name, api in (
        ("guest", guest),
        ("user", user),
        ("other guest", other_guest),
        ("other user", other_user),
    ):
        games[name] = api.play(api.start(), "96")
    clients = {
        "nobody": ApiClient(),
        "guest": guest,
        "other guest": other_guest,
        "user": user,
        "other user": other_user,
        "guest for user's": guest,
        # Somebody else, so that one who signs out everywhere doesn't sign the other out.
        "user for guest's": ApiClient(third),
        "staff": ApiClient(staff),
    }
    statistics = Statistics.objects.create(user=owner, variant="bakers-dozen", kind="casual")
    result = days.result(owner, 1)
    objects = {
        "/user/": owner.pk,
        "/statistics/": statistics.pk,
        "/daily/board/": result.board_id,
        "/daily/result/": result.pk,
    }

    def send(endpoint: Endpoint, asker: str, row: Row) -> Any:
        api = clients[asker]
        game_id = games[ASKERS[asker]]["id"]
        object_id = next((pk for part, pk in objects.items() if part in endpoint.route), game_id)
        path = endpoint.path(game_id=game_id, object_id=object_id) + row.query
        content = b"" if row.body is None else json.dumps(row.body)
        if endpoint.is_api:
            headers = {} if endpoint.is_safe else {"X-CSRFToken": api.token}
            return api.send(endpoint.method, path.removeprefix("/api/"), content, headers=headers)
        if endpoint.is_safe:
            return api.browser.generic(endpoint.method, path)
        return api.browser.post(path, {**(row.body or {}), "csrfmiddlewaretoken": api.token})

    return send


def test_every_endpoint_has_a_row():
    assert {str(endpoint) for endpoint in endpoints()} == set(TABLE)


@pytest.mark.parametrize("endpoint", endpoints(), ids=str)
def test_what_is_somebody_elses_is_not_there(ask, endpoint):
    row = TABLE[str(endpoint)]
    for asker in ASKERS:
        before = rows()
        response = ask(endpoint, asker, row)
        expected = row.expected(asker)
        if isinstance(expected, int):
            assert response.status_code == expected, asker
        else:
            assert response.status_code == 302, asker
            path = response.request["PATH_INFO"]
            assert unquote(response["Location"]) == expected.format(path=path), asker
        if expected in {404, SIGN_IN, SHOW_WHO}:
            # That somebody sent a form is counted, whatever comes of it.
            assert {**rows(), "bakers.Limit": None} == {**before, "bakers.Limit": None}, asker


def test_somebody_elses_game_cannot_be_told_from_one_that_never_was(api, new_api):
    """Not by the answer, nor by a request that is wrong in another way."""
    theirs = new_api().start()
    api.start()
    never = {**theirs, "id": "00000000-0000-4000-8000-000000000000"}

    for body in ({}, {"version": 7}, {"at": 5}):
        answers = [api.moves(game, "96", request_id="request-1", **body) for game in (theirs, never)]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].json() == answers[1].json()
    answers = [api.get(f"games/{game['id']}") for game in (theirs, never)]
    assert answers[0].json() == answers[1].json()


def test_what_this_browser_played_as_a_guest_is_its_users_and_nobody_elses(api, new_user):
    """Signing in hands the games over; one that was started in the same moment is still the guest's by then."""
    state = api.start()
    user = new_user()
    api.browser.force_login(user)

    assert api.get(f"games/{state['id']}").status_code == 200
    assert ApiClient(new_user()).get(f"games/{state['id']}").status_code == 404
