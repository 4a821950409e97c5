"""What can go wrong with a model, each with a code for programs and a sentence for people.

ProviderError
├── Unreachable        nothing listens, no such host, TLS failed          transient
├── Timeout            no answer, or the stream stood still               transient
├── CutOff             the connection broke inside an answer              transient
├── RateLimited        429; `retry_after` in seconds when known           transient
│   └── QuotaUsedUp    429 that waiting does not mend
├── ServerFailed       5xx                                                transient
├── Unauthorized       401, 403
├── ModelNotFound      404
├── ContextTooLong     the request does not fit the model
├── Refused            any other 4xx
├── BadResponse        an answer that is not what the protocol says
├── UnusableVector     a vector of zeros, of NaN or of the wrong length
├── AddressForbidden   an address that is never called, such as cloud metadata
└── LocalModelMissing  the embedded model is not installed or damaged

No message carries anything that the other side sent, nor a key (X11, X15).
"""

from __future__ import annotations

from typing import ClassVar


class ProviderError(Exception):
    """The model could not be used. Try again, or ask an administrator to test the connection in Settings."""

    code: ClassVar[str] = "model_error"
    transient: ClassVar[bool] = False  # true: the same request may succeed later (E26)

    def __init__(self, message: str | None = None) -> None:
        self.message = message or " ".join((type(self).__doc__ or "").split())
        super().__init__(self.message)


class Unreachable(ProviderError):
    """The model server cannot be reached. Check that it runs and that its address in Settings is right."""

    code = "model_unreachable"
    transient = True


class Timeout(ProviderError):
    """The model took too long to answer. Try again, or choose a faster model in Settings."""

    code = "model_timeout"
    transient = True


class CutOff(ProviderError):
    """The connection to the model broke in the middle of its answer. Ask again."""

    code = "model_cut_off"
    transient = True


class RateLimited(ProviderError):
    """The model is busy. Wait a moment and try again."""

    code = "model_busy"
    transient = True

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class QuotaUsedUp(RateLimited):
    """The account of this model has no credit left. Add credit or choose another model in Settings."""

    code = "model_quota_used_up"


class ServerFailed(ProviderError):
    """The model server failed on its side. Try again; if it goes on, look at the log of the model server."""

    code = "model_failed"
    transient = True


class Unauthorized(ProviderError):
    """The model server did not accept the key. Enter the key again in Settings."""

    code = "model_unauthorized"


class ModelNotFound(ProviderError):
    """The server does not know this model or this address. Check both in Settings."""

    code = "model_not_found"


class ContextTooLong(ProviderError):
    """This is longer than the model can read at once. Shorten it, start a new thread or choose a model
    that reads more."""

    code = "model_context_too_long"


class Refused(ProviderError):
    """The model server refused the request. Test the connection in Settings, or choose another model."""

    code = "model_refused"


class BadResponse(ProviderError):
    """The model server sent an answer that cannot be understood. Check that its address is an
    OpenAI-compatible one."""

    code = "model_bad_response"


class UnusableVector(ProviderError):
    """The embedding model returned a vector that cannot be searched. Test the embedding model in Settings."""

    code = "embedding_unusable"


class AddressForbidden(ProviderError):
    """This address is never called, because it belongs to the cloud machine itself. Enter the address of a
    model server."""

    code = "model_address_forbidden"


class LocalModelMissing(ProviderError):
    """The built-in embedding model is not installed. Run `make run` again, or choose an embedding model in
    Settings."""

    code = "local_model_missing"
