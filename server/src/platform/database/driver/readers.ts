import pg from "pg";
import type { Answer, Written } from "./statement.ts";
import { isOutdated } from "./statement-names.ts";

/** Short reads that share connections: each takes its place behind those that are under way. */
export interface Readers {
  read<Row>(written: Written): Promise<Answer<Row>>;
  /** Ends each connection as soon as nothing is under way on it. */
  close(): void;
}

export interface ReadersOptions {
  /** Most connections at once. */
  max: number;
  /** From when on a read holds up those behind it, in milliseconds. */
  slowMs: number;
  /** A connection whose session only reads. */
  connect(): Promise<pg.PoolClient>;
  send(client: pg.PoolClient, written: Written): Promise<Answer<never>>;
  /** The same on a connection of its own. */
  sendAlone(written: Written): Promise<Answer<never>>;
  /** How often all connections were ended because the database did not answer. */
  unreachableCount(): number;
}

interface Read {
  written: Written;
  resolve(answer: Answer<never>): void;
  reject(error: unknown): void;
  /** It has gone to a connection of its own. */
  isMoved: boolean;
}

interface Lane {
  client: pg.PoolClient;
  /** In the order in which they were sent, which is that of their answers. */
  reads: Read[];
  /** When the first of them became the first, and which was the first at the last look. */
  since: number;
  seen: Read | undefined;
  /** It takes no more reads, and ends with the answer that it waits for. */
  isHeld: boolean;
  isOver: boolean;
}

/** With fewer under way, one connection more makes nothing quicker. */
const enough = 8;

/**
 * A read that is slow holds up those behind it. It is noticed: its connection takes no more and ends with its answer, and the others go to connections of their own, as
 * they do when a connection is lost. They change nothing, so that one may be carried out twice.
 */
export function openReaders(options: ReadersOptions): Readers {
  return new Sharing(options);
}

class Sharing implements Readers {
  readonly #options: ReadersOptions;
  /** Those that take reads. */
  readonly #lanes = new Set<Lane>();
  /** All connections, with those in the making and those that wait for a slow answer. */
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  read<Row>(written: Written): Promise<Answer<Row>> {
    return new Promise((resolve, reject) => {
      const read: Read = { written, resolve: resolve as (answer: Answer<never>) => void, reject, isMoved: false };
      const lane = this.#freest();
      if (lane === undefined || lane.reads.length >= enough) this.#widen(lane === undefined ? read : null);
      if (lane !== undefined) this.#send(lane, read);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const lane of this.#lanes) if (lane.reads.length === 0) this.#end(lane);
  }

  #freest(): Lane | undefined {
    let freest: Lane | undefined;
    for (const lane of this.#lanes) if (freest === undefined || lane.reads.length < freest.reads.length) freest = lane;
    return freest;
  }

  /** Opens one more connection where that is allowed, for `read` or for those to come. */
  #widen(read: Read | null): void {
    if (this.#isClosed || this.#count >= this.#options.max) {
      if (read !== null) this.#move(read);
      return;
    }
    const before = this.#options.unreachableCount();
    this.#count += 1;
    this.#options.connect().then(
      (client) => {
        const lane: Lane = { client, reads: [], since: 0, seen: undefined, isHeld: false, isOver: false };
        this.#lanes.add(lane);
        client.once("end", () => this.#end(lane));
        if (read !== null) this.#send(lane, read);
        else if (this.#isClosed) this.#end(lane);
      },
      (error: unknown) => {
        this.#count -= 1;
        if (read === null) return;
        if (this.#options.unreachableCount() > before) read.reject(error);
        else this.#move(read);
      },
    );
  }

  #send(lane: Lane, read: Read): void {
    if (lane.reads.push(read) === 1) lane.since = performance.now();
    this.#arm();
    const before = this.#options.unreachableCount();
    this.#options.send(lane.client, read.written).then(
      (answer) => {
        this.#settled(lane, read);
        if (!read.isMoved) read.resolve(answer);
      },
      (error: unknown) => {
        this.#settled(lane, read);
        if (read.isMoved) return;
        if (isOutdated(error) || (isLost(error) && !lane.isHeld && this.#options.unreachableCount() === before)) this.#move(read);
        else read.reject(asFault(error));
      },
    );
  }

  #settled(lane: Lane, read: Read): void {
    const place = lane.reads.indexOf(read);
    if (place >= 0) lane.reads.splice(place, 1);
    lane.since = performance.now();
    if (lane.isHeld ? !read.isMoved : this.#isClosed && lane.reads.length === 0) this.#end(lane);
  }

  #move(read: Read): void {
    read.isMoved = true;
    this.#options.sendAlone(read.written).then(read.resolve, read.reject);
  }

  #end(lane: Lane): void {
    if (lane.isOver) return;
    lane.isOver = true;
    this.#lanes.delete(lane);
    this.#count -= 1;
    lane.client.release(true);
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => this.#look(), this.#options.slowMs / 2).unref();
  }

  /** A process that was busy itself finds answers waiting: only a read that was the first at the look before is slow. */
  #look(): void {
    this.#timer = undefined;
    for (const lane of this.#lanes) {
      const [first, ...behind] = lane.reads;
      if (first === undefined) continue;
      this.#arm();
      if (first === lane.seen && performance.now() - lane.since >= this.#options.slowMs) {
        lane.isHeld = true;
        this.#lanes.delete(lane);
        for (const read of behind) this.#move(read);
      }
      lane.seen = first;
    }
  }
}

/** Not an answer of the database about the statement, or one that ends the connection. */
function isLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08|57P0)/.test(error.code ?? "");
}

function asFault(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== "25006") return error;
  return new Error("a statement that writes was sent as a read by key", { cause: error });
}
