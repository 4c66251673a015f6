import { connect } from "node:net";
import type { Duplex } from "node:stream";
import pg from "pg";
import { beginWait, waitedTooLong } from "./wait-limit.ts";
import type { Watch } from "./watch.ts";

export type WatchedClient = pg.Client & { isMade: boolean; since: number };

/** How long a statement whose cancellation was requested has to respond, before its connection is closed, in milliseconds. */
const stoppingMs = 250;

/** Connections from the moment that they are requested; every response is awaited under watch, and within its request's limit. */
export function watchedClient(watch: Watch, clients: Set<WatchedClient>): new (config?: pg.ClientConfig) => WatchedClient {
  return class extends pg.Client {
    isMade = false;
    readonly since = performance.now();
    /** Between BEGIN and COMMIT, where nothing takes effect. */
    isInside = false;
    /** The COMMIT that was sent and not answered. */
    committing: Promise<void> | null = null;
    constructor(config?: pg.ClientConfig) {
      super(config);
      clients.add(this);
      // Without listeners, a connection that is cut while idle would end the process.
      this.on("error", () => {});
      this.once("end", () => clients.delete(this));
    }
    override query(...given: unknown[]): never {
      const text = textOf(given[0]);
      if (/^(begin|commit|rollback$)/.test(text)) this.isInside = text.startsWith("begin");
      const sent: Sent = { mayStop: this.isInside || isRead.test(text), isOver: false, onEnd: null };
      const done = watch.begin();
      const ended = beginWait(() => endStatement(this, sent));
      const over = (isAnswered: boolean, error?: unknown) => {
        sent.isOver = true;
        sent.onEnd?.(error);
        if (text === "commit") this.committing = null;
        ended();
        done(isAnswered);
      };
      const answer = super.query(...(given as [string])) as unknown as Promise<unknown>;
      const isOver = answer.then(
        () => over(true),
        (error: unknown) => over(false, error),
      );
      if (text === "commit") this.committing = isOver;
      return answer as never;
    }
  };
}

function textOf(given: unknown): string {
  return typeof given === "string" ? given : ((given as { text?: string } | undefined)?.text ?? "");
}

const isRead = /^(\s*--[^\n]*\n)*\s*select\b/;

/** A statement that was sent. */
interface Sent {
  /** Whether nothing of it takes effect if the server stops: otherwise it may already be waiting for a standby to confirm it. */
  mayStop: boolean;
  isOver: boolean;
  /** Set once its cancellation was requested. */
  onEnd: ((error: unknown) => void) | null;
}

/**
 * Cancels a statement whose request no longer waits, and closes its connection. PostgreSQL doesn't notice a closed connection while a
 * statement runs, so the statement would keep its locks. A connection that stayed open could have its next statement canceled by mistake.
 */
function endStatement(client: WatchedClient & { committing: unknown }, sent: Sent): void {
  if (!sent.mayStop || client.committing !== null || sent.isOver) return cut(client);
  stop(client);
  const timer = setTimeout(() => cut(client), stoppingMs).unref();
  sent.onEnd = (error) => {
    clearTimeout(timer);
    cut(client);
    // Its caller reads why it was stopped, not that it was.
    if (error instanceof Error) Object.assign(error, { code: waitedTooLong });
  };
}

/** PostgreSQL's request to cancel what a connection does: a connection of its own, without TLS or authentication. */
function stop(client: pg.Client): void {
  const { processID, secretKey, host, port } = client as unknown as { processID: number; secretKey: number; host: string; port: number };
  if (typeof processID !== "number" || typeof secretKey !== "number") return;
  const request = Buffer.alloc(16);
  for (const [place, value] of [16, 80_877_102, processID, secretKey].entries()) request.writeInt32BE(value, 4 * place);
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on("error", () => {}).setTimeout(stoppingMs, () => socket.destroy());
  socket.end(request);
}

/** Resolves once the COMMIT that was sent over this connection has a response, or the connection is lost; null if none waits for one. */
export function commitOf(client: pg.ClientBase): Promise<void> | null {
  return (client as { committing?: Promise<void> | null }).committing ?? null;
}

/** Closes a connection without waiting for the server. */
export function cut(client: pg.ClientBase): void {
  streamOf(client).destroy();
}

/** Whether a connection was closed by `cut`, which its pool may not know yet. */
export function isCut(client: pg.ClientBase): boolean {
  return streamOf(client).destroyed;
}

function streamOf(client: pg.ClientBase): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream;
}
