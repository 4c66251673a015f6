import type { FastifyInstance, FastifyReply } from "fastify";

/** A reader with this much unread data is disconnected; it continues where it stopped. */
const maxWaiting = 1_000_000;
/** How long a stream that ends has to hand over what was written. A reader that has stopped reading would hold it forever. */
const endsWithinMs = 2_000;

/** A stream of one reader. */
interface StreamStart<Reader> {
  reader: Reader;
  /** What is written right away. */
  first: string;
  headers?: Record<string, string>;
  /** Passes on what to write, until the returned function is called. */
  follow(write: (text: string) => void): () => void;
}

/** The responses of one route that stay open as server-sent events. */
export interface EventStreams<Reader> {
  /** Takes over a reply, unless its client has left. */
  start(reply: FastifyReply, given: StreamStart<Reader>): void;
  readers(): Reader[];
  /** Ends the streams of these readers. */
  end(readers: Iterable<Reader>): void;
}

interface Stream<Reader> {
  reader: Reader;
  write(text: string): void;
  end(): void;
}

/**
 * One timer for all streams: occasional comments keep proxies from closing idle ones. `onBreath` is called with each. All streams end when
 * the server closes.
 */
export function createEventStreams<Reader>(
  app: FastifyInstance,
  { breathMs, onBreath }: { breathMs: number; onBreath?: (readers: Reader[]) => void },
): EventStreams<Reader> {
  const open = new Set<Stream<Reader>>();
  const readers = () => [...open].map(({ reader }) => reader);
  const timer = setInterval(() => {
    for (const stream of open) stream.write(": \n\n");
    onBreath?.(readers());
  }, breathMs).unref();
  app.addHook("preClose", (done) => {
    clearInterval(timer);
    for (const stream of open) stream.end();
    done();
  });
  return {
    start: (reply, given) => startStream(reply, given, open),
    readers,
    end(ended) {
      const ending = new Set(ended);
      for (const stream of open) if (ending.has(stream.reader)) stream.end();
    },
  };
}

/** A stream isn't among the open ones from the moment it ends, even if its last bytes still wait for their reader. */
function startStream<Reader>(reply: FastifyReply, given: StreamStart<Reader>, open: Set<Stream<Reader>>): void {
  reply.hijack();
  reply.request.waitLimit.lift();
  const { raw } = reply;
  // A client that left earlier sends no further event.
  if (raw.closed) return;
  // Without a listener, a failed write would end the process. What failed is followed by `close`.
  raw.on("error", () => {});
  raw.writeHead(200, {
    ...headersOf(reply),
    ...given.headers,
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
  });
  raw.write(given.first);
  const write = (text: string) => {
    if (raw.writableEnded || raw.destroyed) return;
    raw.write(text);
    if (raw.writableLength > maxWaiting) raw.destroy();
  };
  const unfollow = given.follow(write);
  const leave = () => {
    unfollow();
    open.delete(stream);
  };
  const end = () => {
    leave();
    raw.end();
    setTimeout(() => raw.destroy(), endsWithinMs).unref();
  };
  const stream = { reader: given.reader, write, end };
  open.add(stream);
  raw.once("close", leave);
}

function headersOf(reply: FastifyReply): Record<string, string | string[] | number> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | string[] | number
  >;
}
