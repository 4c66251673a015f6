import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Db, wrapSql } from "../../sql.ts";
import { connectOne, cut, send } from "../driver/connect.ts";

/** One connection that rows stream through: `COPY` takes a connection to itself, so nothing else may be sent while one of its streams is open. */
export interface CopySession {
  db: Db;
  /** Runs statements given as text. */
  script(text: string): Promise<void>;
  /** The rows that a statement given as text answers. */
  rows<Row>(text: string): Promise<Row[]>;
  /** What `copy … to stdout` sends. */
  out(statement: string): Readable & { rowCount: number };
  /** Takes the rows of `copy … from stdin`; it has finished once the server has stored them. */
  into(statement: string): Writable & { rowCount: number };
  /** Ends the connection; at once where a stream was left open. */
  close(): Promise<void>;
}

/** Opens a connection for copying. It has no time limit for statements: a large table takes as long as it takes. */
export async function openCopySession(url: string): Promise<CopySession> {
  const client = await connectOne(url, { applicationName: "tillpost-copy", waitMs: 10_000, pipeline: false });
  // Loaded here, because a start needs none of it.
  const { from, to } = await import("pg-copy-streams");
  let open = 0;
  const watched = <Stream extends EventEmitter>(stream: Stream, over: "end" | "finish"): Stream => {
    open += 1;
    stream.once(over, () => (open -= 1));
    // Whoever waits for it is told; one that nobody waits for any more must not end the process.
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
