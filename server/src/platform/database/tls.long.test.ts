import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { afterAll, describe, expect, it } from "vitest";
import { databaseUser } from "#app/embedded/postgres-user.ts";
import { explainFault } from "#app/explain-fault.ts";
import { onServer, withServer } from "#test/support/database/postgres.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { openDatabase } from "./database.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-tls-"));
const running = Promise.withResolvers<[url: string, restart: () => Promise<void>]>();
const over = Promise.withResolvers<void>();
const serving = withServer(async (...server) => {
  running.resolve(server);
  await over.promise;
});
serving.catch(running.reject);
afterAll(async () => {
  over.resolve();
  await serving;
  rmSync(folder, { recursive: true, force: true });
});

/** A certificate that signs itself, for these names, in files that the database's user may read. */
async function certificateFor(name: string, names: object[]): Promise<{ cert: string; key: string }> {
  const made = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: names },
    ],
  } as never);
  const files = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  writeFileSync(files.cert, made.cert);
  writeFileSync(files.key, made.private, { mode: 0o600 });
  const user = databaseUser(null);
  if (user !== null) for (const path of [folder, files.cert, files.key]) chownSync(path, user.uid, user.gid);
  return files;
}

async function turnOn(url: string, { cert, key }: { cert: string; key: string }): Promise<void> {
  for (const statement of [
    `alter system set ssl_cert_file = '${cert}'`,
    `alter system set ssl_key_file = '${key}'`,
    "alter system set ssl = on",
  ])
    await onServer(url, (admin) => admin.query(statement));
}

/** Whether the connection is encrypted, or the error message. */
async function tryOut(url: string, parameters: string): Promise<string> {
  try {
    const database = openDatabase({ url: `${url}?${parameters}`, max: 1 });
    try {
      const [row] = await runStatement<{ ssl: boolean }>(database.db, "select ssl from pg_stat_ssl where pid = pg_backend_pid()");
      return row?.ssl === true ? "encrypted" : "plain";
    } finally {
      await database.close(0);
    }
  } catch (error) {
    return explainFault(error);
  }
}

const here = [
  { type: 2, value: "localhost" },
  { type: 7, ip: "127.0.0.1" },
];

describe("TLS with the database", () => {
  it("follows sslmode and sslrootcert, and explains failures in words", async () => {
    const own = await certificateFor("own", here);
    const stranger = await certificateFor("stranger", here);
    const [url, restart] = await running.promise;
    expect(await tryOut(url, "sslmode=require")).toBe(
      "The database doesn't offer TLS, which DATABASE_URL requires. Turn it on there (ssl = on), or set sslmode=prefer.",
    );
    expect(await tryOut(url, "sslmode=prefer")).toBe("plain");
    await turnOn(url, own);
    await restart();
    for (const [parameters, outcome] of [
      ["application_name=plain", "plain"],
      ["sslmode=disable", "plain"],
      ["sslmode=prefer", "encrypted"],
      ["sslmode=require", "encrypted"],
      ["sslmode=verify-ca", "isn't signed by an authority this machine trusts. Add that authority's certificate"],
      ["sslmode=verify-full&sslrootcert=system", "isn't signed by an authority this machine trusts"],
      [`sslmode=verify-full&sslrootcert=${own.cert}`, "encrypted"],
      [`sslmode=verify-ca&sslrootcert=${own.cert}`, "encrypted"],
      [`sslrootcert=${own.cert}`, "encrypted"],
      [`sslmode=require&sslrootcert=${stranger.cert}`, "isn't signed by an authority this machine trusts"],
      ["sslmode=verify-full&sslrootcert=/no/such.pem", "DATABASE_URL: the file in sslrootcert can't be read (ENOENT"],
      ["sslmode=tight", 'DATABASE_URL: sslmode is one of disable, allow, prefer, require, verify-ca, verify-full, not "tight".'],
    ] as const)
      expect(await tryOut(url, parameters), parameters).toContain(outcome);
  });

  it("compares the certificate's name with the address, unless sslmode=verify-ca", async () => {
    const other = await certificateFor("other", [{ type: 2, value: "db.corner.books" }]);
    const [url, restart] = await running.promise;
    await turnOn(url, other);
    await restart();
    expect(await tryOut(url, `sslmode=verify-full&sslrootcert=${other.cert}`)).toContain("isn't for the name in DATABASE_URL");
    expect(await tryOut(url, `sslmode=verify-ca&sslrootcert=${other.cert}`)).toBe("encrypted");
  });
});
