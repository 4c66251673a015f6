import pg from "pg";
import type { Answer, Written } from "./statement.ts";
import { isOutdated } from "./statement-names.ts";

/** Short reads that share connections: each waits behind those in progress. */
export interface Readers {
  read<Row>(written: Written): Promise<Answer<Row>>;
  /** Closes each connection as soon as nothing is in progress on it. */
  close(): void;
}

export interface ReadersOptions {
  /** Maximum number of connections. */
  max: number;
  /** When a read counts as slow, in milliseconds. */
  slowMs: number;
  /** A connection whose session is read-only. */
  connect(): Promise<pg.PoolClient>;
  send(client: pg.PoolClient, written: Written): Promise<Answer<never>>;
  /** The same on its own connection. */
  sendAlone(written: Written): Promise<Answer<never>>;
  /** How often all connections were closed because the database didn't respond. */
  unreachableCount(): number;
}

interface Read {
  written: Written;
  resolve(answer: Answer<never>): void;
  reject(error: unknown): void;
  /** It has moved to its own connection. */
  isMoved: boolean;
}

interface ReaderConnection {
  client: pg.PoolClient;
  /** In the order in which they were sent, which is the order of their results. */
  reads: Read[];
  /** Since when the first of them has been first, and which one was first at the last check. */
  since: number;
  seen: Read | undefined;
  /** It accepts no more reads, and closes after the result that it waits for. */
  isHeld: boolean;
  isOver: boolean;
}

/** With fewer in progress, another connection wouldn't make anything faster. */
const enough = 8;

/**
 * A slow read delays those behind it. It is detected: its connection accepts no more and closes after its result, and the others move to
 * their own connections, as they do when a connection is lost. They change nothing, so running one twice is safe.
 */
export function openReaders(options: ReadersOptions): Readers {
  return new Sharing(options);
}

class Sharing implements Readers {
  readonly #options: ReadersOptions;
  /** Those that accept reads. */
  readonly #connections = new Set<ReaderConnection>();
  /** All connections, including those being established and those that wait for a slow result. */
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  read<Row>(written: Written): Promise<Answer<Row>> {
    return new Promise((resolve, reject) => {
      const read: Read = { written, resolve: resolve as (answer: Answer<never>) => void, reject, isMoved: false };
      const connection = this.#freest();
      if (connection === undefined || connection.reads.length >= enough) this.#widen(connection === undefined ? read : null);
      if (connection !== undefined) this.#send(connection, read);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#connections) if (connection.reads.length === 0) this.#end(connection);
  }

  #freest(): ReaderConnection | undefined {
    let freest: ReaderConnection | undefined;
    for (const connection of this.#connections)
      if (freest === undefined || connection.reads.length < freest.reads.length) freest = connection;
    return freest;
  }

  /** Opens another connection if allowed, for `read` or for later ones. */
  #widen(read: Read | null): void {
    if (this.#isClosed || this.#count >= this.#options.max) {
      if (read !== null) this.#move(read);
      return;
    }
    const before = this.#options.unreachableCount();
    this.#count += 1;
    this.#options.connect().then(
      (client) => {
        const connection: ReaderConnection = { client, reads: [], since: 0, seen: undefined, isHeld: false, isOver: false };
        this.#connections.add(connection);
        client.once("end", () => this.#end(connection));
        if (read !== null) this.#send(connection, read);
        else if (this.#isClosed) this.#end(connection);
      },
      (error: unknown) => {
        this.#count -= 1;
        if (read === null) return;
        if (this.#options.unreachableCount() > before) read.reject(error);
        else this.#move(read);
      },
    );
  }

  #send(connection: ReaderConnection, read: Read): void {
    if (connection.reads.push(read) === 1) connection.since = performance.now();
    this.#arm();
    const before = this.#options.unreachableCount();
    this.#options.send(connection.client, read.written).then(
      (answer) => {
        this.#settled(connection, read);
        if (!read.isMoved) read.resolve(answer);
      },
      (error: unknown) => {
        this.#settled(connection, read);
        if (read.isMoved) return;
        if (isOutdated(error) || (isLost(error) && !connection.isHeld && this.#options.unreachableCount() === before)) this.#move(read);
        else read.reject(asFault(error));
      },
    );
  }

  #settled(connection: ReaderConnection, read: Read): void {
    const place = connection.reads.indexOf(read);
    if (place >= 0) connection.reads.splice(place, 1);
    connection.since = performance.now();
    if (connection.isHeld ? !read.isMoved : this.#isClosed && connection.reads.length === 0) this.#end(connection);
  }

  #move(read: Read): void {
    read.isMoved = true;
    this.#options.sendAlone(read.written).then(read.resolve, read.reject);
  }

  #end(connection: ReaderConnection): void {
    if (connection.isOver) return;
    connection.isOver = true;
    this.#connections.delete(connection);
    this.#count -= 1;
    connection.client.release(true);
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => this.#look(), this.#options.slowMs / 2).unref();
  }

  /** After a busy moment, a process finds results waiting: a read is only slow if it was already first at the previous check. */
  #look(): void {
    this.#timer = undefined;
    for (const connection of this.#connections) {
      const [first, ...behind] = connection.reads;
      if (first === undefined) continue;
      this.#arm();
      if (first === connection.seen && performance.now() - connection.since >= this.#options.slowMs) {
        connection.isHeld = true;
        this.#connections.delete(connection);
        for (const read of behind) this.#move(read);
      }
      connection.seen = first;
    }
  }
}

/** Not the database's response to the statement, or one that closes the connection. */
function isLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|57P0)/.test(error.code ?? "");
}

function asFault(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== "25006") return error;
  return new Error("a statement that writes was sent as a read by key", { cause: error });
}
