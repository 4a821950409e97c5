"""Every operation of the API, in one list: the app, OpenAPI and the isolation tests walk it."""

from server.operations import Operation
from server.routes import documents, folders, health, people, search, session, settings, threads

OPERATIONS: list[Operation] = [
    *health.OPERATIONS,
    *session.OPERATIONS,
    *people.OPERATIONS,
    *documents.OPERATIONS,
    *folders.OPERATIONS,
    *search.OPERATIONS,
    *threads.OPERATIONS,
    *settings.OPERATIONS,
]
