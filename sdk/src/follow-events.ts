import type { Client } from "./client.ts";
import { ApiError } from "./errors.ts";

export interface FollowOptions {
  /** Called for every event, in order. */
  onEvent(event: { id: string; data: unknown }): void;
  /** Called when the stream opens (true) and when it breaks (false). */
  onOpen?(open: boolean): void;
  path: Record<string, string>;
  signal: AbortSignal;
}

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/**
 * Follows a stream of server-sent events until the signal ends it, continuing where it stopped. Unlike EventSource it sends the client's
 * headers. Throws if access is refused.
 */
export async function followEvents(client: Client, route: string, options: FollowOptions): Promise<void> {
  let lastId: string | undefined;
  let waitMs = firstWaitMs;
  while (!options.signal.aborted) {
    try {
      const headers = { accept: "text/event-stream", ...(lastId === undefined ? {} : { "last-event-id": lastId }) };
      const response = await client.open(route, { path: options.path, headers, signal: options.signal });
      options.onOpen?.(true);
      waitMs = firstWaitMs;
      await readStream(response, (event) => {
        lastId = event.id;
        options.onEvent(event);
      });
    } catch (error) {
      // These are final; after any other failure it tries again at growing intervals.
      if (error instanceof ApiError && (error.status === 401 || error.status === 403 || error.status === 404)) throw error;
    }
    if (options.signal.aborted) return;
    options.onOpen?.(false);
    await pause(waitMs, options.signal);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

async function readStream(response: Response, onEvent: FollowOptions["onEvent"]): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return;
    const blocks = `${rest}${value}`.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) onEvent(event);
    }
  }
}

function eventOf(block: string): { id: string; data: unknown } | null {
  const fields = new Map(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
  const data = fields.get("data");
  return data === undefined ? null : { id: fields.get("id") ?? "", data: JSON.parse(data) as unknown };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
