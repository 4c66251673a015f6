import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

/** The driver's connection settings. */
export interface Connection {
  path?: string;
  ssl?: "prefer" | ConnectionOptions | false;
}

const modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];
const tlsParameters = ["sslmode", "ssl", "sslrootcert", "sslcert", "sslkey"];

/**
 * The driver's settings for `url`. A `host` parameter naming a folder (`postgres:///name?host=/run/postgresql`, as in libpq) is that
 * folder's Unix socket. TLS works as in libpq: `sslmode`, and the files of `sslrootcert`, `sslcert` and `sslkey`. Throws a message for
 * people.
 */
export function connectionOf(url: string): [url: string, options: Connection] {
  const parsed = URL.parse(url);
  if (parsed === null) return [url, {}];
  const ssl = readTls(parsed);
  for (const name of tlsParameters) parsed.searchParams.delete(name);
  const tls = ssl === undefined ? {} : { ssl };
  const folder = parsed.searchParams.get("host");
  if (folder === null || !folder.startsWith("/")) return [parsed.href, tls];
  const port = parsed.searchParams.get("port") ?? (parsed.port || "5432");
  parsed.searchParams.delete("host");
  parsed.searchParams.delete("port");
  return [parsed.href, { path: `${folder}/.s.PGSQL.${port}` }];
}

/** undefined: nothing was set, and the connection isn't encrypted. */
function readTls(url: URL): Connection["ssl"] {
  const given = (name: string) => url.searchParams.get(name) ?? undefined;
  const root = given("sslrootcert");
  const mode = given("sslmode") ?? given("ssl")?.replace(/^true$/, "require") ?? (root === undefined ? undefined : "verify-full");
  if (mode === undefined) return undefined;
  if (!modes.includes(mode)) throw new Error(`DATABASE_URL: sslmode is one of ${modes.join(", ")}, not ${JSON.stringify(mode)}.`);
  if (mode === "disable") return false;
  if (mode === "allow" || mode === "prefer") return "prefer";
  const file = (name: string) =>
    given(name) === undefined ? {} : { [name === "sslcert" ? "cert" : "key"]: readPem(name, given(name) ?? "") };
  // Set explicitly, because for an IP address the library would compare the certificate with "localhost".
  const options: ConnectionOptions = { host: url.hostname.replace(/^\[|\]$/g, ""), ...file("sslcert"), ...file("sslkey") };
  if (mode === "require" && root === undefined) return { ...options, rejectUnauthorized: false };
  const ca = root === undefined || root === "system" ? {} : { ca: readPem("sslrootcert", root) };
  // As in libpq: with a root certificate, `require` verifies the issuer of the server's certificate, but not its name.
  const anyName = mode === "verify-full" ? {} : { checkServerIdentity: () => undefined };
  return { ...options, ...ca, ...anyName, rejectUnauthorized: true };
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`DATABASE_URL: the file in ${name} can't be read (${(error as Error).message}).`, { cause: error });
  }
}
