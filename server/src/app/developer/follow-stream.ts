import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "./api-client.ts";

export interface StreamedEvent {
  id: string;
  event: string;
  body: string;
}

export interface Following {
  events: string[] | null;
  signal: AbortSignal;
  onOpen(): void;
  onEvent(event: StreamedEvent): void;
  onLost(reason: string): void;
}

const longestWaitMs = 10_000;

/**
 * Follows the project's events until stopped. After a lost connection it continues after the last received event, so that none is skipped.
 * Throws the API's own message if it refuses, because every retry would be refused as well.
 */
export async function followStream(api: ApiClient, following: Following): Promise<void> {
  let lastId: string | null = null;
  let waitMs = 250;
  while (!following.signal.aborted) {
    try {
      for await (const event of readStream(api, following, lastId)) {
        lastId = event.id;
        waitMs = 250;
        following.onEvent(event);
      }
      following.onLost("the server ended the stream");
    } catch (error) {
      if (following.signal.aborted) return;
      if (error instanceof Refusal) throw new Error(error.message, { cause: error });
      following.onLost((error as Error).message);
    }
    await sleep(waitMs, undefined, { signal: following.signal }).catch(() => undefined);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

class Refusal extends Error {}

/** An invalid request stays invalid; a server that is busy or stopping serves again later. */
async function refusalOf(answer: Response): Promise<Error> {
  const text = await answer.text();
  if (answer.status >= 500 || answer.status === 429) return new Error(`the server responded with ${answer.status}`);
  const { error } = ((): { error?: { message?: string; code?: string } } => {
    try {
      return JSON.parse(text) as { error?: { message?: string; code?: string } };
    } catch {
      return {};
    }
  })();
  return new Refusal(
    `${error?.message ?? "The stream was refused."} (${answer.status}${error?.code === undefined ? "" : ` ${error.code}`})`,
  );
}

async function* readStream(api: ApiClient, following: Following, lastId: string | null): AsyncGenerator<StreamedEvent> {
  const query = following.events === null ? "" : `?${following.events.map((name) => `event=${encodeURIComponent(name)}`).join("&")}`;
  const answer = await fetch(api.address(`${api.project}/events/stream${query}`), {
    headers: { authorization: `Bearer ${api.key}`, ...(lastId === null ? {} : { "last-event-id": lastId }) },
    signal: following.signal,
  });
  if (!answer.ok || answer.body === null) throw await refusalOf(answer);
  following.onOpen();
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const body = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (body !== undefined) yield { ...(JSON.parse(body) as { id: string; event: string }), body };
    }
  }
}
