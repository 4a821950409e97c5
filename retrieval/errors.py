"""What can go wrong with a search itself; the model's and the database's errors pass through.

RetrievalError
├── BadQuery       empty, too long, or not text
├── BadRule        a rule of redaction that matches nothing or cannot be read
├── BadEntity      a decision about names that decides nothing
├── EntityNotFound no entity, or none that the caller's passages mention
└── SpaceMismatch  the passages were embedded by another model than the query would be
"""

from typing import ClassVar


class RetrievalError(Exception):
    """The search could not be made."""

    code: ClassVar[str] = "search_failed"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.__doc__)


class BadQuery(RetrievalError):
    """The query is empty."""

    code = "bad_query"


class BadRule(RetrievalError):
    """This rule cannot be used."""

    code = "bad_rule"


class BadEntity(RetrievalError):
    """Nothing can be decided about these names."""

    code = "bad_entity"


class EntityNotFound(RetrievalError):
    """This entity does not exist."""

    code = "not_found"


class SpaceMismatch(RetrievalError):
    """The documents were indexed with another embedding model than the one that is set for queries."""

    code = "space_mismatch"
