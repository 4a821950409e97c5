import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Reads a response body as server-sent events, in order, until it ends or the caller stops iterating. */
export async function* readEvents(response: Response): AsyncGenerator<EventSourceMessage> {
  if (!response.body) return;
  const waiting: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => waiting.push(event) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (value) parser.feed(value);
      while (waiting.length) yield waiting.shift() as EventSourceMessage;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
