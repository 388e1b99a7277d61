"""Display names: what may stand in one, and which of them can't be told apart.

A name is what others see, so nobody may wear one that looks like somebody else's. Two names look alike when they are
the same after NFKC, case folding and putting one letter for all that look like it (the confusables of the Unicode
Consortium, as `confusable_homoglyphs` keeps them), without what separates words. `key` makes a text of a name that
is the same for all of them, and a unique column holds it: however many choose at the same moment, one gets it.

Looking alike is made transitive, or it couldn't be a key: `I` looks like `l` and is an `i` in capitals, so all three
are one. That stops where it would make two plain letters one by way of a third: the Greek `ν` looks like a `v`, its
capital like an `N`. Such a letter keeps one of its likenesses in the key, and a name in which the other could mislead
is refused.
"""

from __future__ import annotations

import functools
import itertools
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from confusable_homoglyphs.categories import aliases_categories
from confusable_homoglyphs.confusables import confusables_data
from django.db import IntegrityError
from django.utils.translation import gettext as _

from accounts import listing
from accounts.models import User

MIN_LENGTH = 2
MAX_LENGTH = 24
#: What may stand between words.
SEPARATORS = " ._-"
DIGITS = "0123456789"
#: What any keyboard has, and what no likeness may make one.
PLAIN = frozenset(f"abcdefghijklmnopqrstuvwxyz{DIGITS}")
#: Scripts in everyday use, by the Unicode Consortium's list (UAX 31, table 5). Of others few people can tell a letter
#: from a drawing of another one.
SCRIPTS = frozenset(
    [
        "ARABIC",
        "ARMENIAN",
        "BENGALI",
        "BOPOMOFO",
        "CYRILLIC",
        "DEVANAGARI",
        "ETHIOPIC",
        "GEORGIAN",
        "GREEK",
        "GUJARATI",
        "GURMUKHI",
        "HAN",
        "HANGUL",
        "HEBREW",
        "HIRAGANA",
        "KANNADA",
        "KATAKANA",
        "KHMER",
        "LAO",
        "LATIN",
        "MALAYALAM",
        "MYANMAR",
        "ORIYA",
        "SINHALA",
        "TAMIL",
        "TELUGU",
        "THAANA",
        "THAI",
        "TIBETAN",
    ]
)
#: Scripts that are written together, and so count as one.
TOGETHER = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
#: The sign for a long vowel belongs to two scripts, so the tables give it none.
_LONG_VOWEL = "ー"
#: Letters that show nothing.
_INVISIBLE = frozenset("\u115f\u1160\u17b4\u17b5\u3164\uffa0")
#: Blocks of letters for the notation of sounds and of old books: small capitals, turned and closed forms. Most look
#: like others, and a few of the first block are also written in African and Turkic languages.
_NOTATION = tuple(
    range(first, last + 1)
    for first, last in (
        (0x250, 0x2AF),
        (0x1D00, 0x1DBF),
        (0x2C60, 0x2C7F),
        (0xA720, 0xA7FF),
        (0xAB30, 0xAB6F),
    )
)
_NOTATION_IN_USE = frozenset("əɓɔɖɗɛɣɩʃʊʋʒ")
#: Vowel signs and the like that may stand on one letter; more would pile up.
_MOST_MARKS = 2
#: Likenesses that the tables leave out: what a capital looks like, and two letters that run together.
_MORE_LIKENESSES = (("i", "l"), ("w", "vv"))
#: Names in which somebody would seem to speak for the site, or which a page uses for something else.
_RESERVED = (
    "admin", "administrator", "anonymous", "anybody", "baker", "bakers", "dealer", "deleted", "everybody", "guest",
    "help", "me", "mod", "moderator", "nobody", "none", "null", "official", "owner", "player", "root", "security",
    "staff", "support", "system", "team", "undefined", "webmaster", "you",
)  # fmt: skip
#: No name may even contain these.
_RESERVED_PARTS = ("bakersdozen", "baker dozen", "administrator", "moderator")


class NameRefused(ValueError):
    """A name can't be had; the message says why, to the person who chose it."""


class NameTaken(NameRefused):
    """Somebody has this name, or one that looks like it."""

    def __init__(self) -> None:
        super().__init__(_("This name, or one that looks like it, is taken."))


def choose(*, user_id: int, name: str, is_listed: bool) -> str:
    """Give a user a display name and their answer about leaderboards, and return the name as it is shown.

    Raises:
        NameRefused: nothing was changed.
    """
    shown = check(name)
    try:
        listing.change(
            User.objects.filter(pk=user_id), display_name=shown, name_key=key(shown), is_listed=is_listed
        )
    except IntegrityError:
        raise NameTaken from None
    return shown


def check(name: str) -> str:
    """Return a name as it would be shown, in the form NFKC.

    Raises:
        NameRefused: it isn't one that anybody may have.
    """
    shown = unicodedata.normalize("NFKC", name)
    if not MIN_LENGTH <= len(shown) <= MAX_LENGTH:
        raise NameRefused(
            _("A name has %(least)d to %(most)d characters.") % {"least": MIN_LENGTH, "most": MAX_LENGTH}
        )
    if shown != " ".join(shown.split()) or shown != shown.strip():
        raise NameRefused(_("Spaces stand between words, one at a time."))
    for char in shown:
        if char not in SEPARATORS and not _is_in_names(char):
            raise NameRefused(_("A name is made of letters, digits, spaces and the marks . _ -"))
    if not is_one_script({script_of(char) for char in shown} - {None}):
        raise NameRefused(_("The letters of a name are all of one script."))
    if all(char in SEPARATORS for char in shown):
        raise NameRefused(_("A name has a letter or a digit in it."))
    _check_marks(shown)
    if _could_be_read_otherwise(shown):
        raise NameRefused(_("This name could be taken for one in other letters. Please choose another."))
    if _is_reserved(shown):
        raise NameRefused(_("This name is kept for the site itself. Please choose another."))
    return shown


def key(name: str) -> str:
    """Return the text that all names share which look like this one."""
    alikes = _alikes()
    return "".join(alikes.written.get(char, char) for char in fold(name) if char not in SEPARATORS)


def fold(name: str) -> str:
    """Return a name without regard to case and to the ways of writing the same character."""
    folded = unicodedata.normalize("NFKC", name)
    # Folding may take apart what the other puts together.
    while (again := unicodedata.normalize("NFKC", folded.casefold())) != folded:
        folded = again
    return folded


@functools.cache
def script_of(char: str) -> str | None:
    """Return the script that a character is a letter or a vowel sign of, or None if it is none that a name takes."""
    if char == _LONG_VOWEL:
        return "KATAKANA"
    script, category = aliases_categories(char)
    # The tables and Python may be of different ages; a letter must be known to both.
    if char in _INVISIBLE or not all(known[0] in "LM" for known in (category, unicodedata.category(char))):
        return None
    if char not in _NOTATION_IN_USE and any(ord(char) in block for block in _NOTATION):
        return None
    return script if script in SCRIPTS else None


def is_one_script(scripts: set[str | None]) -> bool:
    """Whether letters of these scripts stand together in the writing of one language."""
    return len(scripts) <= 1 or any(scripts <= together for together in TOGETHER)


def _check_marks(name: str) -> None:
    marks = _MOST_MARKS
    for char in name:
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if char in SEPARATORS or char in DIGITS:
            marks = _MOST_MARKS
        if marks > _MOST_MARKS:
            raise NameRefused(_("A sign that belongs to a letter stands after one."))


def _is_reserved(name: str) -> bool:
    reserved, parts = _reserved()
    # admin2 and the like, before digits are taken for letters.
    bare = name.strip(SEPARATORS + DIGITS)
    return key(name) in reserved or key(bare) in reserved or any(part in key(name) for part in parts)


@functools.cache
def _reserved() -> tuple[frozenset[str], tuple[str, ...]]:
    return frozenset(map(key, _RESERVED)), tuple(map(key, _RESERVED_PARTS))


# What looks alike


@dataclass(frozen=True)
class _Alikes:
    """Characters in classes of those that look alike.

    Attributes:
        written: how each character is written in a key.
        readings: by character, the scripts of other characters that look like it.
        hidden: by character, those of them that have one which is in another class.
    """

    written: dict[str, str]
    readings: dict[str, frozenset[str]]
    hidden: dict[str, frozenset[str]]


def _could_be_read_otherwise(name: str) -> bool:
    """Whether all of a name could be read in one script in a way that its key doesn't tell."""
    alikes = _alikes()
    letters = [(char, script) for char in name if (script := script_of(char)) is not None]
    scripts = {script for char, _own in letters for script in alikes.hidden.get(char, ())}
    return any(
        all(script == own or script in alikes.readings.get(char, ()) for char, own in letters)
        for script in scripts
    )


class _Classes:
    """Classes of characters that grow together, but never two that hold different plain letters or digits."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}
        self._plain: dict[str, str] = {}

    def of(self, char: str) -> str:
        """Return the character that stands for the class of another."""
        while (above := self._above.get(char, char)) != char:
            char = above
        return char

    def plain(self, char: str) -> str | None:
        """Return the plain letter or digit of a character's class, if it has one."""
        top = self.of(char)
        return self._plain.get(top, top if top in PLAIN else None)

    def join(self, first: str, second: str, *, always: bool = False) -> None:
        """Make the classes of two characters one, unless two plain letters would become one by that."""
        low, high = sorted((self.of(first), self.of(second)))
        plain = {found for found in (self.plain(low), self.plain(high)) if found is not None}
        if low == high or (len(plain) > 1 and not always):
            return
        self._above[high] = low
        if plain:
            self._plain[low] = max(plain)


@functools.cache
def _alikes() -> _Alikes:
    likenesses = sorted(
        {(char, other["c"]) for char, others in confusables_data.items() for other in others}
        | {(first, second) for pair in _MORE_LIKENESSES for first, second in (pair, pair[::-1])}
    )
    single = [(char, other) for char, other in likenesses if len(char) == len(other) == 1]
    folded = {
        char: fold(char) for char in PLAIN | {char for pair in likenesses for text in pair for char in text}
    }
    classes = _Classes()
    # One character in other cases or forms, then plain ones that are as good as one, then all the rest.
    for char in sorted(folded):
        if len(folded[char]) == 1 and _is_normal(char):
            classes.join(char, folded[char])
    for char, other in single:
        if char.isascii() and other.isascii():
            classes.join(char, other, always=True)
    for char, other in single:
        # What folds into several has no place in a key.
        if len(folded[char]) == len(folded[other]) == 1:
            classes.join(char, other)

    # A character that looks like several is written as those.
    spelt: dict[str, str] = {}
    for char, others in likenesses:
        may_be = char in PLAIN or classes.plain(char) is None
        if len(char) == 1 < len(others) and may_be and all(map(_is_in_names, fold(others))):
            spelt.setdefault(classes.of(char), fold(others))

    def written(char: str, inside: frozenset[str] = frozenset()) -> str:
        top = classes.of(char)
        if top not in spelt or top in inside:
            return classes.plain(top) or top
        return "".join(written(part, inside | {top}) for part in spelt[top])

    texts = {char: written(char) for char in {*folded, *folded.values()} if len(char) == 1}
    readings: dict[str, set[str]] = defaultdict(set)
    hidden: dict[str, set[str]] = defaultdict(set)
    for group in _groups(single):
        for char, other in itertools.permutations(group, 2):
            script = script_of(other)
            if script is not None:
                readings[char].add(script)
                # Of two in one script, the one that came into Unicode's tables first is the one that people use.
                in_use = char.isascii() or (char < other and script == script_of(char))
                if texts[char] != texts[other] and not in_use:
                    hidden[char].add(script)
    return _Alikes(
        texts,
        {char: frozenset(scripts) for char, scripts in readings.items()},
        {char: frozenset(scripts) for char, scripts in hidden.items()},
    )


def _groups(single: list[tuple[str, str]]) -> Iterator[set[str]]:
    """Yield sets of characters of names that look like one another: each of them like one, which the tables list."""
    groups: dict[str, set[str]] = defaultdict(set)
    for char, other in single:
        groups[char] |= {char, other}
    for group in groups.values():
        yield {char for char in group if _is_normal(char) and _is_in_names(char)}


def _is_in_names(char: str) -> bool:
    return char in DIGITS or script_of(char) is not None


def _is_normal(char: str) -> bool:
    return unicodedata.normalize("NFKC", char) == char
