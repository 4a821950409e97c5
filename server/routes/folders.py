"""Folders: where documents lie on the page; they say nothing about who may see them."""

from starlette.responses import Response

import ingestion.folders as library
from server import schemas
from server.operations import Call, Operation, Who, reply


async def list_folders(call: Call) -> Response:
    return reply(await library.list_folders(call.runtime.database, call.caller.identity))


async def create_folder(call: Call) -> Response:
    made = await library.create_folder(
        call.runtime.database, call.caller.identity, name=call.body.name, parent_id=call.body.parent_id
    )
    return reply(made, status=201)


async def change_folder(call: Call) -> Response:
    changes = call.body.model_dump(exclude_unset=True)
    return reply(await library.patch_folder(call.runtime.database, call.caller.identity, call.id(), changes))


async def delete_folder(call: Call) -> Response:
    await library.delete_folder(call.runtime.database, call.caller.identity, call.id())
    return Response(status_code=204)


OPERATIONS = [
    Operation("GET", "/api/folders", list_folders, Who.READER, "Folders", returns=schemas.Items[schemas.FolderOut]),
    Operation("POST", "/api/folders", create_folder, Who.MEMBER, "Make a folder",
              schemas.FolderIn, schemas.FolderOut, status=201),
    Operation("PATCH", "/api/folders/{id}", change_folder, Who.MEMBER, "Rename or move a folder",
              schemas.FolderPatch, schemas.FolderOut),
    Operation("DELETE", "/api/folders/{id}", delete_folder, Who.MEMBER, "Delete an empty folder", status=204),
]  # fmt: skip
