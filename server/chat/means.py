"""What a turn works with, from the settings of the moment."""

from server.chat.answer import Means
from server.runtime import Runtime
from sql.db import Identity


def means_of(runtime: Runtime, identity: Identity) -> Means:
    """The means of one turn of this person's."""
    return Means(
        database=runtime.database,
        identity=identity,
        searcher=runtime.searcher,
        tracer=runtime.tracer,
        embedder=runtime.models.embedder,
        model=runtime.models.chat,
        model_name=runtime.models.chat_label,
        passages=runtime.settings["retrieval.passages"],
        context_tokens=runtime.settings["chat.context_tokens"],
        max_tokens=runtime.settings["chat.max_tokens"],
    )
