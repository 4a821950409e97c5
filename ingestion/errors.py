"""What can go wrong between a file and its chunks, in words for the person who uploaded it.

    IngestionError
    ├── UnsupportedType     not one of the accepted formats (HTTP 415)
    ├── Empty               no bytes, or no text in them
    ├── TooBig              more than the memory, page or unpacking limits allow
    ├── TooNested           structure nested deeper than any document needs
    ├── Encrypted           asks for a password
    ├── Corrupt             does not open as the format it claims
    ├── UnsafeContent       entity tricks, members outside the archive
    ├── UnknownEncoding     bytes that are text in no known encoding
    ├── NeedsOcr            pages without text: scans or photographs
    ├── ParseTimeout        ran out of its time
    └── ParserCrashed       every parser died on it

And what can go wrong with a request about documents and folders:

    LibraryError
    ├── NotFound            no such document, folder or passage for this person (HTTP 404)
    ├── NotAllowed          a reader who adds or changes (403)
    ├── TooLarge            more bytes than an upload may have (413)
    ├── FolderExists        the name is taken in this place (409)
    ├── FolderNotEmpty      something is still in it (409)
    ├── FolderInsideItself  moved below itself (409)
    └── BlobUnavailable     the store of files does not answer or lost one (503)

`code` is stable and stored, the message is a sentence, `hint` is the next step, `detail` is for the log
and is never shown.
"""

from typing import ClassVar


class IngestionError(Exception):
    """This file could not be read."""

    code: ClassVar[str] = "unreadable"
    hint: ClassVar[str] = "Try again, or upload another copy of the file."

    def __init__(self, message: str | None = None, *, detail: str = "") -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        self.detail = detail
        super().__init__(self.message)


class UnsupportedType(IngestionError):
    """This kind of file is not supported."""

    code = "unsupported_type"
    hint = "Convert it to one of the accepted formats and upload that."

    def __init__(
        self, message: str | None = None, *, accepted: tuple[str, ...] = (), detail: str = ""
    ) -> None:
        super().__init__(message, detail=detail)
        self.accepted = accepted


class Empty(IngestionError):
    """There is no text in this file."""

    code = "empty"
    hint = "Check that the file has content, then upload it again."


class TooBig(IngestionError):
    """This file unpacks to more than can be read safely."""

    code = "too_big"
    hint = "Split it into smaller files and upload those."


class TooNested(IngestionError):
    """This file is nested too deeply to be read."""

    code = "too_nested"
    hint = "Save it as plain text or PDF and upload that."


class Encrypted(IngestionError):
    """This file is protected by a password."""

    code = "encrypted"
    hint = "Save a copy without the password and upload that."


class Corrupt(IngestionError):
    """This file is damaged or incomplete."""

    code = "corrupt"
    hint = "Open it in the program that made it, save it again and upload the new copy."


class UnsafeContent(IngestionError):
    """This file contains constructions that ordinary documents do not, and was not opened."""

    code = "unsafe_content"
    hint = "Save it again from the program that made it, or export it as PDF."


class UnknownEncoding(IngestionError):
    """The text of this file is in an encoding that was not recognised."""

    code = "unknown_encoding"
    hint = "Save it as UTF-8 and upload it again."


class NeedsOcr(IngestionError):
    """The pages of this file are pictures: there is no text to search without text recognition (OCR)."""

    code = "needs_ocr"
    hint = (
        "An administrator can switch text recognition on by starting Ibid with make run WITH_OCR=1; then try this "
        "document again. Or upload a copy that a scanner program has recognised."
    )


class ParseTimeout(IngestionError):
    """Reading this file took longer than allowed."""

    code = "parse_timeout"
    hint = "Split it into smaller files, or ask an administrator to raise the time limit."


class ParserCrashed(IngestionError):
    """The reader stopped unexpectedly on this file; nothing else was affected."""

    code = "parser_crashed"
    hint = "Open it in the program that made it, save it again and upload the new copy."


BY_CODE: dict[str, type[IngestionError]] = {
    kind.code: kind
    for kind in (
        IngestionError,
        UnsupportedType,
        Empty,
        TooBig,
        TooNested,
        Encrypted,
        Corrupt,
        UnsafeContent,
        UnknownEncoding,
        NeedsOcr,
        ParseTimeout,
        ParserCrashed,
    )
}


class LibraryError(Exception):
    """This cannot be done."""

    code: ClassVar[str] = "not_possible"

    def __init__(self, message: str | None = None, *, detail: str = "") -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        self.detail = detail
        super().__init__(self.message)


class NotFound(LibraryError):
    """There is nothing here by this id."""

    code = "not_found"


class NotAllowed(LibraryError):
    """Your role lets you read and ask, not add or change documents."""

    code = "not_allowed"


class TooLarge(LibraryError):
    """This file is larger than an upload may be."""

    code = "too_large"

    def __init__(self, *, max_bytes: int) -> None:
        super().__init__(
            f"This file is larger than the {max_bytes / 1024 / 1024:,.0f} MB that an upload may have."
        )
        self.max_bytes = max_bytes


class FolderExists(LibraryError):
    """There is already a folder with this name here."""

    code = "folder_exists"


class FolderNotEmpty(LibraryError):
    """This folder still holds documents or folders. Move or delete them first."""

    code = "folder_not_empty"


class FolderInsideItself(LibraryError):
    """A folder cannot be moved into itself."""

    code = "folder_inside_itself"


class BlobUnavailable(LibraryError):
    """The stored file cannot be read or written at the moment. Try again."""

    code = "storage_unavailable"
