import pg from "pg";
import { type Connection, connectionOf } from "./database-url.ts";
import { withCode } from "./faults.ts";
import type { Answer, Written } from "./statement.ts";
import { isOutdated, nameOf, rename } from "./statement-names.ts";
import { valueTypes } from "./values.ts";

export interface ConnectOptions {
  max: number;
  applicationName: string;
  /** How long to wait for a connection, a free one or a new one, in milliseconds. */
  waitMs: number;
}

export type Client = pg.PoolClient;

/** Connections to one database. None of them ends the process when it is cut. */
export interface Pool {
  /** A connection of one's own, until it is given back. Throws when none is had in time. */
  acquire(): Promise<Client>;
  /** Waits for connections that are in use, at most so long, then closes all. */
  close(timeoutMs: number): Promise<void>;
}

const statementTimeoutMs = 15_000;

export function openPool(url: string, options: ConnectOptions): Pool {
  const [address, connection] = connectionOf(url);
  const pool = new pg.Pool({
    ...clientOptions([address, connection], options),
    max: options.max,
    idleTimeoutMillis: 300_000,
    connectionTimeoutMillis: options.waitMs,
  });
  const clients = new Set<pg.PoolClient>();
  // Without listeners a connection that is cut while nobody uses it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    clients.add(client);
    client.on("error", () => {});
  });
  pool.on("remove", (client) => clients.delete(client));
  return {
    async acquire() {
      try {
        return await pool.connect();
      } catch (thrown) {
        const error = withCode(thrown);
        if (connection.ssl !== "prefer" || (error as { code?: string }).code !== "TLS_NOT_OFFERED") throw error;
        pool.options.ssl = false;
        return await pool.connect();
      }
    },
    async close(timeoutMs) {
      const cutting = setTimeout(() => {
        for (const client of clients) cut(client);
      }, timeoutMs);
      await pool.end();
      clearTimeout(cutting);
    },
  };
}

/** One connection that belongs to no pool; end it with `end()`. */
export async function connectOne(url: string, options: Pick<ConnectOptions, "applicationName" | "waitMs">): Promise<pg.Client> {
  const [address, connection] = connectionOf(url);
  const given = {
    ...clientOptions([address, connection], options),
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    connectionTimeoutMillis: options.waitMs,
  };
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

/** Sends one statement and answers its rows. A statement that the schema has outrun is sent again under a new name where `again` says so. */
export async function send<Row>(client: pg.ClientBase, { text, values }: Written, again = false): Promise<Answer<Row>> {
  const name = nameOf(text);
  try {
    const { rows, rowCount } = await client.query({ ...(name === undefined ? {} : { name }), text, values });
    return Object.defineProperty(rows, "count", { value: rowCount ?? 0 }) as unknown as Answer<Row>;
  } catch (error) {
    if (!isOutdated(error)) throw withCode(error);
    if (nameOf(text) === name) rename(text);
    if (!again) throw error;
    return await send<Row>(client, { text, values });
  }
}

function clientOptions([url, connection]: [url: string, Connection], { applicationName }: Pick<ConnectOptions, "applicationName">): pg.ClientConfig {
  const parsed = new URL(url);
  const [folder, port = parsed.port] = connection.path?.split("/.s.PGSQL.") ?? [];
  return {
    pipeline: true,
    types: valueTypes as never,
    host: folder ?? parsed.hostname.replace(/^\[|\]$/g, ""),
    port: Number(port === "" ? 5432 : port),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    application_name: parsed.searchParams.get("application_name") ?? applicationName,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    ssl: connection.ssl === "prefer" ? { rejectUnauthorized: false } : (connection.ssl ?? false),
  };
}

function cut(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
