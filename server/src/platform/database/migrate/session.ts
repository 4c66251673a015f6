import type { Db } from "../../sql.ts";
import { wrapSql } from "../../sql.ts";
import { connectOne, send } from "../driver/connect.ts";

/** One connection for migrating. */
export interface Session {
  db: Db;
  /** Runs statements given as text, possibly several at once; returns how many rows the last one touched. */
  script(text: string): Promise<number>;
  transact(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function openSession(url: string): Promise<Session> {
  const client = await connectOne(url, { applicationName: "tillpost-migrate", waitMs: 10_000 });
  const script = async (text: string) => {
    const answer = await client.query(text);
    const last = Array.isArray(answer) ? answer.at(-1) : answer;
    return last?.rowCount ?? 0;
  };
  return {
    db: wrapSql<Db>({ send: (written) => send(client, written, { again: true }) }),
    script,
    async transact(work) {
      await script("begin");
      try {
        await work();
        await script("commit");
      } catch (error) {
        await script("rollback").catch(() => {});
        throw error;
      }
    },
    close: () => client.end(),
  };
}
