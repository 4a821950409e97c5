"""Every operation of the API, in one list: the app, OpenAPI and the isolation tests walk it."""

from server.operations import Operation
from server.routes import (
    analyses,
    documents,
    entities,
    folders,
    gaps,
    gates,
    golden,
    guests,
    health,
    messages,
    people,
    search,
    session,
    settings,
    threads,
)

OPERATIONS: list[Operation] = [
    *health.OPERATIONS,
    *session.OPERATIONS,
    *people.OPERATIONS,
    *documents.OPERATIONS,
    *analyses.OPERATIONS,
    *folders.OPERATIONS,
    *entities.OPERATIONS,
    *search.OPERATIONS,
    *gates.OPERATIONS,
    *golden.OPERATIONS,
    *threads.OPERATIONS,
    *messages.OPERATIONS,
    *guests.OPERATIONS,
    *gaps.OPERATIONS,
    *settings.OPERATIONS,
]
