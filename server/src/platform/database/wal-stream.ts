import type pg from "pg";
import { connectOne } from "./driver/connect.ts";
import { cut } from "./driver/watched-client.ts";
import { parseLsn } from "./lsn.ts";

/** The database's write-ahead log, as it is written. */
export interface WalStream {
  systemId: string;
  timeline: number;
  /** Everything before this position was confirmed earlier. */
  start: bigint;
  /** True if the server has discarded write-ahead log that was still needed: this doesn't continue the earlier data. */
  isGap: boolean;
  /** Rejects when the stream breaks. */
  ended: Promise<void>;
  /** Confirms that everything before this position is stored safely, so that the server can discard it. */
  confirm(lsn: bigint): void;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

const slot = "tillpost_wal";
/** Below the server's limit of a minute, after which it drops a silent client. */
const sayEveryMs = 10_000;

/**
 * Follows the write-ahead log from the last position passed to `confirm`, across restarts of both; `take` gets each piece and its position.
 */
export async function openWalStream(url: string, take: (start: bigint, bytes: Buffer) => void): Promise<WalStream> {
  const client = await connectOne(url, { applicationName: "tillpost-wal", waitMs: 10_000, replication: true });
  try {
    const { rows } = await client.query<{ systemid: string }>("IDENTIFY_SYSTEM");
    const found = await findSlot(client);
    const query = new FollowQuery(`START_REPLICATION SLOT ${slot} PHYSICAL ${found.lsn} TIMELINE ${found.timeline}`, {
      from: parseLsn(found.lsn),
      take,
    });
    client.query(query);
    const saying = setInterval(() => query.say(), sayEveryMs);
    query.ended.catch(() => {}).finally(() => clearInterval(saying));
    return {
      systemId: String(rows[0]?.systemid),
      timeline: found.timeline,
      start: parseLsn(found.lsn),
      isGap: found.isGap,
      ended: query.ended,
      confirm: (lsn) => query.confirm(lsn),
      pause: () => query.wire?.stream.pause(),
      resume: () => query.wire?.stream.resume(),
      async close() {
        clearInterval(saying);
        query.say();
        cut(client);
      },
    };
  } catch (error) {
    cut(client);
    throw error;
  }
}

/** The server no longer keeps write-ahead log for this slot. */
export async function dropWalStream(url: string): Promise<void> {
  const client = await connectOne(url, { applicationName: "tillpost-wal", waitMs: 10_000, replication: true });
  try {
    if ((await readSlot(client)) !== null) await client.query(`DROP_REPLICATION_SLOT ${slot}`);
  } finally {
    await client.end();
  }
}

interface Slot {
  lsn: string | null;
  timeline: number;
}

async function findSlot(client: pg.Client): Promise<{ lsn: string; timeline: number; isGap: boolean }> {
  const known = await readSlot(client);
  if (known !== null && known.lsn !== null) return { lsn: known.lsn, timeline: known.timeline, isGap: false };
  if (known !== null) await client.query(`DROP_REPLICATION_SLOT ${slot}`);
  await client.query(`CREATE_REPLICATION_SLOT ${slot} PHYSICAL (RESERVE_WAL)`);
  const made = await readSlot(client);
  if (made === null || made.lsn === null) throw new Error("the server reserves no write-ahead log");
  return { lsn: made.lsn, timeline: made.timeline, isGap: known !== null };
}

/** null: there is no slot. A slot that the server dropped because it kept too much has no position any more. */
async function readSlot(client: pg.Client): Promise<Slot | null> {
  const { rows } = await client.query<{ slot_type: string | null; restart_lsn: string | null; restart_tli: string | null }>(
    `READ_REPLICATION_SLOT ${slot}`,
  );
  const [row] = rows;
  return row === undefined || row.slot_type === null ? null : { lsn: row.restart_lsn, timeline: Number(row.restart_tli) };
}

/** The parts of the driver's connection that a custom query works with. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(bytes: Buffer): void;
  stream: { pause(): void; resume(): void };
}

/** Implements `START_REPLICATION`: endless copied data in both directions. */
class FollowQuery implements pg.Submittable {
  wire: Wire | undefined;
  readonly #text: string;
  readonly #take: (start: bigint, bytes: Buffer) => void;
  readonly #end = Promise.withResolvers<void>();
  #received: bigint;
  #confirmed: bigint;

  constructor(text: string, { from, take }: { from: bigint; take: (start: bigint, bytes: Buffer) => void }) {
    this.#text = text;
    this.#take = take;
    this.#received = from;
    this.#confirmed = from;
    this.ended.catch(() => {});
  }

  get ended(): Promise<void> {
    return this.#end.promise;
  }

  submit(connection: pg.Connection): void {
    this.wire = connection as unknown as Wire;
    this.wire.query(this.#text);
  }

  confirm(lsn: bigint): void {
    if (lsn > this.#confirmed) this.#confirmed = lsn;
    this.say();
  }

  /** Reports to the server what was received and what is stored safely. */
  say(): void {
    const message = Buffer.alloc(34);
    message.write("r", 0, "latin1");
    for (const [index, lsn] of [this.#received, this.#confirmed, this.#confirmed].entries()) message.writeBigUInt64BE(lsn, 1 + index * 8);
    this.wire?.sendCopyFromChunk(message);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === "k" && chunk[17] === 1) this.say();
    if (kind !== "w") return;
    const start = chunk.readBigUInt64BE(1);
    // A copy, because the driver reuses this memory for the next messages.
    const bytes = Buffer.from(chunk.subarray(25));
    this.#received = start + BigInt(bytes.length);
    this.#take(start, bytes);
  }

  handleError(error: Error): void {
    this.#end.reject(error);
  }

  handleCommandComplete(): void {
    this.#end.reject(new Error("the server ended the stream"));
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleReadyForQuery(): void {}
}
