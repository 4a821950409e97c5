import { createParser, type EventSourceMessage } from "eventsource-parser";

const SILENCE_MS = 45_000; // three heartbeats: a connection that is gone need not say so

/**
 * Reads a response body as server-sent events, in order, until it ends or the caller stops iterating.
 * Throws when nothing comes any more, not even a heartbeat.
 */
export async function* readEvents(response: Response): AsyncGenerator<EventSourceMessage> {
  if (!response.body) return;
  const waiting: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => waiting.push(event) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (value) parser.feed(value);
      while (waiting.length) yield waiting.shift() as EventSourceMessage;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withinSilence<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the stream fell silent")), SILENCE_MS);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}
