import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Db, wrapSql } from "../../sql.ts";
import { connectOne, send } from "../driver/connect.ts";
import { cut } from "../driver/watched-client.ts";

/** One connection for streaming rows: `COPY` occupies a connection, so nothing else can be sent while a stream is open. */
export interface CopySession {
  db: Db;
  /** Runs statements given as text. */
  script(text: string): Promise<void>;
  /** The rows that a statement given as text returns. */
  rows<Row>(text: string): Promise<Row[]>;
  /** The output of `copy … to stdout`. */
  out(statement: string): Readable & { rowCount: number };
  /** Accepts the rows of `copy … from stdin`; it has finished once the server has stored them. */
  into(statement: string): Writable & { rowCount: number };
  /** Ends the connection; right away if a stream was left open. */
  close(): Promise<void>;
}

/** Opens a connection for copying. It has no statement timeout, because a large table takes long. */
export async function openCopySession(url: string): Promise<CopySession> {
  const client = await connectOne(url, { applicationName: "tillpost-copy", waitMs: 10_000, pipeline: false });
  // Loaded here, because startup doesn't need it.
  const { from, to } = await import("pg-copy-streams");
  let open = 0;
  const watched = <Stream extends EventEmitter>(stream: Stream, over: "end" | "finish"): Stream => {
    open += 1;
    stream.once(over, () => (open -= 1));
    // The error reaches the code that awaits it; without one it must not end the process.
    stream.on("error", () => {});
    client.query(stream as never);
    return stream;
  };
  return {
    db: wrapSql<Db>({ send: (written) => send(client, written, { again: true }) }),
    script: async (text) => void (await client.query(text)),
    rows: async <Row>(text: string) => (await client.query(text)).rows as Row[],
    out: (statement) => watched(to(statement), "end"),
    into: (statement) => watched(from(statement), "finish"),
    async close() {
      if (open > 0) cut(client);
      else await client.end();
    },
  };
}
