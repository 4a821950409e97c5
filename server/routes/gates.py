"""Who can see a document and draw on it, and the workspace's rules for its audiences."""

from starlette.responses import Response

from retrieval.errors import BadRule
from retrieval.gates import expression_of
from server.errors import BadRequest, Forbidden, NotFound
from server.operations import Call, Operation, Who, reply
from server.search import schemas
from sql.db import BadExpression, Connection
from sql.queries import query

MOST_PEOPLE = 1000
MOST_PLACES = 50
AUDIENCES = ("public", "member")
SAMPLE = "Nothing that anybody would protect."


async def read_access(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        return reply(await _access(call, connection))


async def put_gates(call: Call) -> Response:
    """Reclassify: the next statement of anybody is under the new rule (D18)."""
    body: schemas.GatesIn = call.body
    if (body.trust or 0) > 0 and call.caller.role not in ("owner", "admin"):
        raise Forbidden("Only an administrator approves a document as a source.")
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        changed = await connection.fetchval(
            query("set_document_gates"), call.id(), body.visibility, body.use, body.trust
        )
        if changed is None:
            raise NotFound("This document does not exist, or is not yours to change.")
        return reply(await _access(call, connection))


async def read_shares(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        await _own(call, connection)
        return reply(await _shares(call, connection))


async def put_shares(call: Call) -> Response:
    """Show the document to these members and no others; to nobody makes it private again."""
    body: schemas.SharesIn = call.body
    wanted = list(dict.fromkeys(user for user in body.user_ids if user != call.caller.identity.user_id))
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        await _own(call, connection)
        await connection.execute(query("drop_shares"), call.id(), wanted)
        if await connection.fetchval(query("add_shares"), call.id(), wanted) != len(wanted):
            raise NotFound("One of these people is not a member of this workspace.")
        visibility = "shared" if wanted else "private"
        await connection.execute(query("set_document_gates"), call.id(), visibility, None, None)
        return reply(await _access(call, connection))


async def _own(call: Call, connection: Connection) -> None:
    row = await connection.fetchrow(query("document_gates"), call.id())
    if row is None or not row["own"]:
        raise NotFound("This document does not exist, or is not yours to share.")


async def _access(call: Call, connection: Connection) -> dict[str, object]:
    row = await connection.fetchrow(query("document_gates"), call.id())
    if row is None:
        raise NotFound("This document does not exist.")
    people = await connection.fetch(query("people_with_access"), call.id(), MOST_PEOPLE)
    return {
        "document_id": row["id"],
        "visibility": row["visibility"],
        "use": row["use"],
        "trust": row["trust"],
        "owner": {"id": row["owner_id"], "name": row["owner_name"] or ""},
        "own": row["own"],
        "guests": row["visibility"] == "public",
        "complete": row["own"] or row["visibility"] != "shared",
        "people": [dict(person) for person in people],
    }


async def _shares(call: Call, connection: Connection) -> dict[str, object]:
    items = await connection.fetch(query("list_shares"), call.id())
    colleagues = await connection.fetch(query("list_colleagues"), MOST_PEOPLE)
    return {"items": [dict(row) for row in items], "colleagues": [dict(row) for row in colleagues]}


async def read_gates(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        return reply(await _gates(connection))


async def put_audiences(call: Call) -> Response:
    body: schemas.AudiencesIn = call.body
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        for audience, least in body.model_dump(exclude_none=True).items():
            await connection.execute(query("put_audience"), audience, least)
        return reply(await _gates(connection))


async def add_rule(call: Call) -> Response:
    body: schemas.RuleIn = call.body
    try:
        expression = expression_of(body.kind, body.value)
    except BadRule as error:
        raise BadRequest(str(error), code=error.code) from None
    try:
        async with call.runtime.database.as_user(call.caller.identity) as connection:
            if await connection.fetchval(query("test_expression"), expression, ""):
                raise BadRequest("This pattern matches everything.", code=BadRule.code)
            await connection.fetchval(query("test_expression"), expression, SAMPLE)
            row = await connection.fetchrow(
                query("add_redaction_rule"), body.audience, body.kind, body.value, expression, body.note
            )
    except BadExpression as error:
        raise BadRequest(f"This pattern cannot be read: {error}.", code=BadRule.code) from None
    return reply(dict(row), status=201)


async def test_rule(call: Call) -> Response:
    """What a rule would protect in a text, before it is made."""
    body: schemas.RuleTestIn = call.body
    try:
        expression = expression_of(body.kind, body.value)
        async with call.runtime.database.as_user(call.caller.identity) as connection:
            rows = await connection.fetch(query("find_expression"), expression, body.sample, MOST_PLACES)
    except BadRule as error:
        raise BadRequest(str(error), code=error.code) from None
    except BadExpression as error:
        raise BadRequest(f"This pattern cannot be read: {error}.", code=BadRule.code) from None
    # Folding may take letters apart; then the places hold for the folded text only.
    text = body.sample if len(rows[0]["folded"]) == len(body.sample) else rows[0]["folded"]
    places = [(row["from_"], row["upto"]) for row in rows if row["from_"] is not None]
    return reply({"pieces": _pieces(text, places)})


def _pieces(text: str, places: list[tuple[int, int]]) -> list[dict[str, object]]:
    pieces: list[dict[str, object]] = []
    at = 0
    for start, end in places:
        pieces += [{"text": text[at:start], "protected": False}, {"text": text[start:end], "protected": True}]
        at = end
    pieces.append({"text": text[at:], "protected": False})
    return [piece for piece in pieces if piece["text"]]


async def delete_rule(call: Call) -> Response:
    async with call.runtime.database.as_user(call.caller.identity) as connection:
        if await connection.fetchval(query("delete_redaction_rule"), call.id()) is None:
            raise NotFound
    return Response(status_code=204)


async def _gates(connection: Connection) -> dict[str, object]:
    stored = {row["audience"]: row["least_trust"] for row in await connection.fetch(query("list_audiences"))}
    rules = await connection.fetch(query("list_redaction_rules"))
    return {
        "audiences": {audience: {"least_trust": stored.get(audience, 0)} for audience in AUDIENCES},
        "rules": [dict(row) for row in rules],
    }


_ID = "/api/documents/{id}"
OPERATIONS = [
    Operation("GET", _ID + "/access", read_access, Who.READER, "Who can see this document, and why",
              returns=schemas.AccessOut),
    Operation("PUT", _ID + "/access", put_gates, Who.MEMBER, "Who sees it, what for, and how far it is trusted",
              schemas.GatesIn, schemas.AccessOut),
    Operation("GET", _ID + "/shares", read_shares, Who.MEMBER, "Whom it is shown to, and whom it could be",
              returns=schemas.SharesOut),
    Operation("PUT", _ID + "/shares", put_shares, Who.MEMBER, "Show it to these members and no others",
              schemas.SharesIn, schemas.AccessOut),
    Operation("GET", "/api/gates", read_gates, Who.ADMIN, "Audiences and rules of redaction",
              returns=schemas.GatesOut),
    Operation("PUT", "/api/gates/audiences", put_audiences, Who.ADMIN, "The least trust for each audience",
              schemas.AudiencesIn, schemas.GatesOut),
    Operation("POST", "/api/gates/rules", add_rule, Who.ADMIN, "Protect a name or a pattern",
              schemas.RuleIn, schemas.RuleOut, status=201),
    Operation("POST", "/api/gates/rules/test", test_rule, Who.ADMIN, "What a rule would protect in a text",
              schemas.RuleTestIn, schemas.RuleTestOut),
    Operation("DELETE", "/api/gates/rules/{id}", delete_rule, Who.ADMIN, "Lift a rule", status=204),
]  # fmt: skip
