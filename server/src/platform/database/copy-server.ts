import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type pg from "pg";
import { connectOne } from "./driver/connect.ts";
import { cut } from "./driver/watched-client.ts";

/** A position in the database's write-ahead log. */
export interface WalPlace {
  lsn: string;
  timeline: number;
}

/** A physical copy of a whole running server. */
export interface BaseBackup {
  /** Identifies one server's data; a restored copy keeps it. */
  systemId: string;
  /** The server's PostgreSQL major. */
  major: number;
  start: WalPlace;
  /** The server's estimate of the archive's size. */
  estimatedBytes: number;
  /** The data folder as one tar archive, with the write-ahead log that makes it consistent. */
  archive: Readable;
  /** The end of the copy; known once the archive was read to its end. */
  end: Promise<WalPlace>;
  close(): Promise<void>;
}

type Row = (string | null)[];

/**
 * Begins a copy over the replication protocol; `url` names a role with replication privilege. The server keeps the required write-ahead log
 * until `close`.
 */
export async function openBaseBackup(url: string): Promise<BaseBackup> {
  const client = await connectOne(url, { applicationName: "tillpost-backup", waitMs: 10_000, replication: true });
  try {
    const { rows } = await client.query<{ systemid: string }>("IDENTIFY_SYSTEM");
    const shown = await client.query<{ server_version_num: string }>("SHOW server_version_num");
    // Ends with this connection, however that ends.
    await client.query(`CREATE_REPLICATION_SLOT tillpost_backup_${randomBytes(4).toString("hex")} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    const query = new BackupQuery("BASE_BACKUP (LABEL 'tillpost', PROGRESS, CHECKPOINT 'fast', WAL, MANIFEST 'no')");
    client.query(query);
    const [[lsn = null, timeline = null] = [], ...spaces] = (await query.head).flat();
    if (spaces.some(([oid]) => oid !== null))
      throw new Error("The database has custom tablespaces, which this backup would leave out. Use pg_basebackup or pgBackRest.");
    const kilobytes = Number(spaces[0]?.[2] ?? 0);
    return {
      systemId: String(rows[0]?.systemid),
      major: Math.floor(Number(shown.rows[0]?.server_version_num) / 10_000),
      start: { lsn: String(lsn), timeline: Number(timeline) },
      estimatedBytes: kilobytes * 1024,
      archive: query.archive,
      end: query.end,
      close: () => client.end(),
    };
  } catch (error) {
    cut(client);
    throw error;
  }
}

/** The parts of the driver's connection that a custom query works with. */
interface Wire {
  query(text: string): void;
  stream: { pause(): void; resume(): void; destroy(): void };
}

/** Implements `BASE_BACKUP`: two result sets (start, tablespaces), one stream of copied data, one more result set (end). */
class BackupQuery implements pg.Submittable {
  readonly archive: Readable;
  readonly #text: string;
  readonly #sets: Row[][] = [];
  readonly #head = Promise.withResolvers<Row[][]>();
  readonly #end = Promise.withResolvers<WalPlace>();
  #wire: Wire | undefined;
  #archives = 0;
  #isOver = false;

  constructor(text: string) {
    this.#text = text;
    this.archive = new Readable({
      highWaterMark: 1_048_576,
      read: () => this.#wire?.stream.resume(),
      destroy: (error, done) => {
        // The reader has stopped, and the server would send the rest before it notices.
        if (!this.#isOver) this.#wire?.stream.destroy();
        done(error);
      },
    });
    // Each promise rejects for its reader; one without a reader must not end the process.
    for (const promise of [this.head, this.end]) promise.catch(() => {});
    this.archive.on("error", () => {});
  }

  get head(): Promise<Row[][]> {
    return this.#head.promise;
  }

  get end(): Promise<WalPlace> {
    return this.#end.promise;
  }

  submit(connection: pg.Connection): void {
    this.#wire = connection as unknown as Wire;
    this.#wire.query(this.#text);
  }

  handleRowDescription(): void {
    this.#sets.push([]);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    this.#sets.at(-1)?.push(fields.map((field) => (field === null ? null : String(field))));
  }

  handleCommandComplete(): void {
    if (this.#sets.length === 2) this.#head.resolve(this.#sets.slice(0, 2));
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === "n") this.#archives += 1;
    if (this.#archives > 1) this.handleError(new Error("the server sent a second archive"));
    // A copy, because the driver reuses this memory for the next messages.
    if (kind === "d" && !this.archive.push(Buffer.from(chunk.subarray(1)))) this.#wire?.stream.pause();
  }

  handleReadyForQuery(): void {
    const [lsn, timeline] = this.#sets[2]?.[0] ?? [];
    if (lsn === undefined) return;
    this.#isOver = true;
    this.#end.resolve({ lsn: String(lsn), timeline: Number(timeline) });
    this.archive.push(null);
  }

  handleError(error: Error): void {
    this.#head.reject(error);
    this.#end.reject(error);
    this.archive.destroy(error);
  }
}
