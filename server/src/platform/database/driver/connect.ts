import pg from "pg";
import { type Connection, connectionOf } from "./database-url.ts";
import { withCode } from "./faults.ts";
import { openReaders } from "./readers.ts";
import type { Answer, Written } from "./statement.ts";
import { isOutdated, nameOf, rename } from "./statement-names.ts";
import { valueTypes } from "./values.ts";
import { beginWait, waitApart, waitLimitError } from "./wait-limit.ts";
import { createWatch, type Watch } from "./watch.ts";
import { cut, isCut, type WatchedClient, watchedClient } from "./watched-client.ts";

export interface ConnectOptions {
  applicationName: string;
  /** How long to wait for a connection, free or new, in milliseconds. */
  waitMs: number;
  /** Whether it accepts replication commands instead of statements. */
  replication?: boolean;
  /** Whether statements can be sent before the previous one has a result; COPY needs its connection exclusively. */
  pipeline?: boolean;
}

export interface PoolOptions extends ConnectOptions {
  max: number;
  /** How long a statement may wait for a lock, in milliseconds. */
  lockMs: number;
  /** After how long a wait triggers a check whether the database still responds, in milliseconds. */
  noticeMs: number;
  /**
   * How long this check may take, in milliseconds. A connection that takes twice as long while others are established is stuck, for example
   * in a balancer.
   */
  lookMs: number;
  /**
   * How many connections short reads share. None if nothing is prepared: a pooler shares connections itself, and would keep a session's
   * settings.
   */
  shared: number;
  /** When a read on a shared connection counts as slow, in milliseconds. */
  slowMs: number;
  /** Whether statements are prepared; off for a pooler that shares connections between transactions. */
  prepare: boolean;
  /** Called each time the database was found not to respond, after all connections to it were closed. */
  onUnreachable(): void;
}

export type Client = pg.PoolClient;

/** Connections to one database. A lost connection never ends the process. */
export interface Pool {
  /** The statement that begins a transaction. */
  begin: string;
  /** An exclusive connection, until it is released. Throws if none is available in time. */
  acquire(): Promise<Client>;
  /**
   * Sends one statement and returns its rows. A statement that the schema has changed under is sent again under a new name if `again` says
   * so.
   */
  send<Row>(client: Client, written: Written, again?: boolean): Promise<Answer<Row>>;
  /** Sends one statement outside a transaction, on a connection of its own. */
  sendAlone<Row>(written: Written): Promise<Answer<Row>>;
  /** The same for a short read that can safely run twice, on a shared connection if there are any. It is refused if it writes. */
  read<Row>(written: Written): Promise<Answer<Row>>;
  /** Waits for connections in use, at most this long, then closes all. */
  close(timeoutMs: number): Promise<void>;
}

const statementTimeoutMs = 15_000;
/** The server's own timeout is shorter; this one ends a statement if the server no longer responds. */
const answerTimeoutMs = statementTimeoutMs + 2_000;
export function openPool(url: string, options: PoolOptions): Pool {
  const clients = new Set<WatchedClient>();
  let unreachable = 0;
  const watch = createWatch({
    noticeMs: options.noticeMs,
    look: () => isServing(url, options.lookMs),
    found() {
      for (const client of clients) if (!client.isMade && performance.now() - client.since >= 2 * options.lookMs) cut(client);
    },
    lost() {
      unreachable += 1;
      for (const client of clients) cut(client);
      options.onUnreachable();
    },
  });
  const shared = options.prepare ? Math.min(options.shared, options.max - 1) : 0;
  const Client = watchedClient(watch, clients);
  const pool = pooled(url, { ...options, max: options.max - shared, Client });
  const reading = pooled(url, { ...options, max: Math.max(1, shared), Client, session: "-c default_transaction_read_only=on" });
  const sendAlone = <Row>(written: Written) => sendOn<Row>(under(watch, pool), written, options.prepare);
  const readers = openReaders({
    max: shared,
    slowMs: options.slowMs,
    connect: () => under(watch, reading),
    send: (client, written) => send(client, written),
    sendAlone,
    unreachableCount: () => unreachable,
  });
  return {
    sendAlone,
    read: shared === 0 ? sendAlone : (written) => waitApart(() => readers.read(written)),
    begin: beginOf(options),
    send: (client, written, again) => send(client, written, { again: again ?? false, prepare: options.prepare }),
    acquire: () => under(watch, pool),
    async close(timeoutMs) {
      readers.close();
      const cutting = setTimeout(() => {
        for (const client of clients) cut(client);
      }, timeoutMs);
      await Promise.all([pool.end(), reading.end()]);
      clearTimeout(cutting);
    },
  };
}

async function sendOn<Row>(acquired: Promise<Client>, written: Written, prepare: boolean): Promise<Answer<Row>> {
  const client = await acquired;
  try {
    return await send<Row>(client, written, { again: true, prepare });
  } finally {
    client.release(isCut(client));
  }
}

/** A pooler gives each transaction another connection, without our timeouts. */
function beginOf(options: PoolOptions): string {
  if (options.prepare) return "begin";
  const limits = Object.entries(limitsOf(options)).map(([name, ms]) => `set local ${name} = ${ms}`);
  return `begin; ${limits.join("; ")}`;
}

interface Connections {
  connect(): Promise<Client>;
  end(): Promise<void>;
}

interface PooledOptions extends PoolOptions {
  Client: new (config?: pg.ClientConfig) => pg.Client;
  /** Session settings of each connection, in the form that `postgres` accepts. */
  session?: string;
}

function pooled(url: string, options: PooledOptions): Connections {
  const [address, connection] = connectionOf(url);
  const pool = new pg.Pool({
    ...clientOptions([address, connection], options),
    ...(options.prepare ? limitsOf(options) : {}),
    ...(options.session === undefined ? {} : { options: options.session }),
    query_timeout: answerTimeoutMs,
    Client: options.Client,
    max: options.max,
    idleTimeoutMillis: 300_000,
    connectionTimeoutMillis: options.waitMs,
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => void ((client as { isMade?: boolean }).isMade = true));
  return {
    end: () => pool.end(),
    async connect() {
      try {
        return await pool.connect();
      } catch (thrown) {
        const error = withCode(thrown);
        if (connection.ssl !== "prefer" || (error as { code?: string }).code !== "TLS_NOT_OFFERED") throw error;
        pool.options.ssl = false;
        return await pool.connect();
      }
    },
  };
}

/**
 * A connection, or an error as soon as the database is found unreachable or the request has waited as long as it may; one that is
 * established later is released unused.
 */
function under(watch: Watch, pool: Connections): Promise<Client> {
  return new Promise((resolve, reject) => {
    let isAbandoned = false;
    const abandon = (error: Error) => {
      isAbandoned = true;
      reject(error);
    };
    const done = watch.begin(abandon);
    const ended = beginWait(() => abandon(waitLimitError()));
    pool.connect().then(
      (client) => {
        done(true);
        ended();
        if (isAbandoned) client.release();
        else resolve(client);
      },
      (error: unknown) => {
        done(false);
        ended();
        reject(error);
      },
    );
  });
}

/**
 * Whether the database responds and isn't a standby. A refusal is a response too, unless it comes from a server that shuts down, or from a
 * pooler without a server.
 */
async function isServing(url: string, ms: number): Promise<boolean> {
  let client: pg.Client | undefined;
  try {
    client = await connectOne(url, { applicationName: "tillpost-look", waitMs: ms });
    const query = { text: "select pg_is_in_recovery() as standby", query_timeout: ms } as pg.QueryConfig;
    const { rows } = await client.query<{ standby: string }>(query);
    return rows[0] !== undefined && !/^t/.test(String(rows[0].standby));
  } catch (error) {
    return error instanceof pg.DatabaseError && !/^(08|57P0)/.test(error.code ?? "");
  } finally {
    if (client !== undefined) cut(client);
  }
}

/** Timeouts of the server; a pooler refuses them at connection start, so each transaction sets them. */
function limitsOf({ lockMs }: Pick<PoolOptions, "lockMs">) {
  return { statement_timeout: statementTimeoutMs, lock_timeout: lockMs, idle_in_transaction_session_timeout: statementTimeoutMs };
}

/** One connection outside any pool; close it with `end()`. */
export async function connectOne(url: string, options: ConnectOptions): Promise<pg.Client> {
  const [address, connection] = connectionOf(url);
  const given = { ...clientOptions([address, connection], options), connectionTimeoutMillis: options.waitMs };
  try {
    return await connect(given);
  } catch (thrown) {
    const error = withCode(thrown);
    if (connection.ssl !== "prefer" || (error as { code?: string }).code !== "TLS_NOT_OFFERED") throw error;
    return await connect({ ...given, ssl: false });
  }
}

async function connect(given: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(given);
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Sends one statement and returns its rows; see `Pool.send`. */
export async function send<Row>(client: pg.ClientBase, written: Written, { again = false, prepare = true } = {}): Promise<Answer<Row>> {
  const { text, values } = written;
  const name = prepare ? nameOf(text) : undefined;
  try {
    const { rows, rowCount } = await client.query({ ...(name === undefined ? {} : { name }), text, values });
    return Object.defineProperty(rows, "count", { value: rowCount ?? 0 }) as unknown as Answer<Row>;
  } catch (error) {
    if (!isOutdated(error)) throw withCode(error);
    if (prepare && nameOf(text) === name) rename(text);
    if (!again) throw error;
    return await send<Row>(client, written, { prepare });
  }
}

function clientOptions(
  [url, connection]: [url: string, Connection],
  { applicationName, pipeline = true, replication = false }: ConnectOptions,
): pg.ClientConfig {
  const parsed = new URL(url);
  const [folder, port = parsed.port] = connection.path?.split("/.s.PGSQL.") ?? [];
  return {
    pipeline: pipeline && !replication,
    ...(replication ? { replication: "true" } : {}),
    types: valueTypes as never,
    host: folder ?? parsed.hostname.replace(/^\[|\]$/g, ""),
    port: Number(port === "" ? 5432 : port),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    application_name: parsed.searchParams.get("application_name") ?? applicationName,
    keepAlive: true,
    ssl: connection.ssl === "prefer" ? { rejectUnauthorized: false } : (connection.ssl ?? false),
  };
}
