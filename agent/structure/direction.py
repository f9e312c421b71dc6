"""Which end of a scale a question asks for, once it is known of which measure the values are.

Who asks for *more* or *heavier* says the end. *Better* is the high end of a measure that the question names, unless
the language knows it as one of which less is better; what a domain calls by a name of its own is left to that domain.
"""

from __future__ import annotations

from agent.languages.operations import End
from agent.reasoners.quantities import is_contested, lower_is_better
from agent.structure.tagged import Tagged
from retrieval.tables.match import said_words


def end_of(question: Tagged, label: str, context: str = "") -> End | None:
    """The end that is asked for of the values of a label; "better" or "worse" where only a domain can say.

    `context` is what the table is called: the *saves* that a *breath* is one of.

    >>> from agent.structure.tagged import tagged
    >>> [end_of(tagged("Which has the best one?"), label) for label in ("Accuracy", "Load time", "Armor class")]
    ['high', 'low', 'better']
    """
    said = said_words(label)
    end = question.end_for(said)
    named = f"{label} {context} {question.question}"
    if end not in ("better", "worse") or is_contested(named):
        return end
    low = lower_is_better(named) or any(word in question.language.low_is_better for word in said)
    return "low" if low ^ (end == "worse") else "high"
