"""English as data: irregular plurals, number words, stop words and abbreviations of measures.

Words of a game or a trade are not here but in the vocabularies of domains (`retrieval.text.vocabulary`).
"""

from __future__ import annotations

from collections.abc import Mapping

IRREGULAR: Mapping[str, str] = {
    "dice": "die", "mice": "mouse", "feet": "foot", "teeth": "tooth", "children": "child", "geese": "goose",
    "oxen": "ox", "staves": "staff", "knives": "knife", "lives": "life", "wives": "wife", "grey": "gray",
    "defence": "defense", "defences": "defense", "offence": "offense", "matrices": "matrix",
    "mould": "mold", "centre": "center", "judgement": "judgment",
    "buses": "bus", "gases": "gas", "lenses": "lens", "atlases": "atlas", "irises": "iris",
    "mantises": "mantis", "emus": "emu", "gnus": "gnu", "menus": "menu",
    "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july",
    "aug": "august", "sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december",
}  # fmt: skip
"""Whole words, each with its singular in American spelling; months in full."""
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""The days of the week, in their order; the first five are working days."""
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
"""The months in their order."""
WEEKDAY, WEEKEND = "weekday", "weekend"
"""What the working days and the other days are called."""
PLURALS = (
    ("wolves", "wolf"), ("halves", "half"), ("shelves", "shelf"), ("selves", "self"), ("hooves", "hoof"),
    ("leaves", "leaf"), ("loaves", "loaf"), ("scarves", "scarf"), ("calves", "calf"),
    ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("ies", "y"),
)  # fmt: skip
"""Plural endings, each with the singular ending."""
KEEP_MEN = frozenset({"specimen", "regimen", "abdomen", "acumen", "omen", "amen"})
"""Words in *-men* that are not plurals."""

UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve "
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
CARDINALS: Mapping[str, int] = {
    **{word: n for n, word in enumerate(UNITS)},
    **{word: 20 + 10 * n for n, word in enumerate(TENS)},
    "hundred": 100,
    "thousand": 1000,
}
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
ORDINALS: Mapping[str, int] = {
    **{word: n for n, word in enumerate(_ORDINALS)},
    **{word[:-1] + "ieth": 20 + 10 * n for n, word in enumerate(TENS)},
}
PARTS: Mapping[str, int] = {"half": 2, "quarter": 4, **{word: n for word, n in ORDINALS.items() if n > 2}}
"""Words for parts of a whole, with the number of parts."""
MINUS = frozenset({"minus", "negative"})

LINKS = frozenset({"of", "is", "are", "was", "equal"})
"""Words between a measure and its number."""
FILLERS = LINKS | frozenset("total score sum value rating combined exactly only a an the between from to".split())
"""Further words that may stand there."""
ARTICLES = frozenset({"a", "an", "the"})
NEARLY = frozenset("about around roughly approximately circa nearly almost".split())
"""Words before an approximate number."""
LISTS = frozenset({"and", "or", "&"})
"""Words between the names of several things."""
JOINS = LISTS | {"to", "through"}
"""Words between the numbers of a list or a range."""
PRONOUN_BEFORE_ONE = frozenset({"which", "the", "that", "this", "each", "any", "no", "every", "either", "another"})
"""Words after which *one* is not a number."""

BEFORE_UNITS = frozenset({"per"})
"""Words after which *second* is the unit of time and *third* a part, not ordinals."""

STOP_WORDS = frozenset(
    "a an the of to in on at for by with from and or is are was be do doe did has have had such what which who whom "
    "whose how many much when where why it its their his her they he she that this these those than then as if "
    "would will can could should may might need get give tell me about i you we there any some not no into per "
    "between & vs versus compare difference mean".split()
)
WEAK = STOP_WORDS | frozenset(
    "type table score base e g such required need number no against value cell amount".split()
)
"""Words of a head that don't describe its values."""

SAME = (
    ("temperature", "temp"),
    ("maximum", "max"),
    ("total", "together", "altogether", "combined", "plus"),
    ("chance", "odd", "probability", "likelihood", "likely", "percentage", "percent"),
    ("kg", "kilogram", "kilo"),
    ("lb", "lbs", "pound"),
    ("km", "kilometer", "kilometre"),
    ("cm", "centimeter", "centimetre"),
    ("mm", "millimeter", "millimetre"),
    ("min", "minute"),
    ("kcal", "calory"),
)
"""Abbreviations of measures and words of arithmetic, in normal form; the first of each group represents it."""
SAID_BY_PERCENT = "chance"
"""The meaning of the sign *%*."""
