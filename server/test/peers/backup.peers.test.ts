import { execFileSync } from "node:child_process";
import { afterAll } from "vitest";
import { processEnvironment } from "#app/config.ts";
import { migrate } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { startDebianPostgres } from "#test/support/debian/debian-postgres.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { createCut } from "#test/support/upgrade/half-way.ts";
import { liveIn } from "#test/support/upgrade/lived-in.ts";
import { testGoingOn } from "#test/support/upgrade/test-going-on.ts";
import { keepWritten, type Written } from "#test/support/upgrade/written.ts";

/**
 * A database that this version fills on Debian's PostgreSQL is dumped with `pg_dump` and continues where the dump is restored. With
 * `UPGRADE_FIXTURE` the dump is also saved under that name, for the upgrade test of later versions.
 */
const server = await startDebianPostgres();
afterAll(() => server.remove());
await migrate(server.url, new URL("../../migrations/", import.meta.url));
const written = await writeDatabase();
const { UPGRADE_FIXTURE: savedAs } = processEnvironment();
if (savedAs !== undefined) keepWritten(new URL(savedAs, import.meta.url), written);
await testGoingOn(written);

async function writeDatabase(): Promise<Written> {
  const own = { url: server.url, drop: async () => {} };
  const cut = createCut();
  const app = await testApp({
    own,
    probe: cut.probe,
    egress: await localEgress(),
    // All of it is in the past when real programs start on the database.
    startsAt: "2026-11-19T00:00:00.000Z",
    http: { perMinuteUnauthenticated: 100_000 },
  });
  const files: Record<string, string> = {};
  const { put, remove } = app.ctx.files;
  Object.assign(app.ctx.files, {
    put: async (key: string, bytes: Uint8Array) => {
      files[key] = Buffer.from(bytes).toString("base64");
      await put(key, bytes);
    },
    remove: async (key: string) => {
      delete files[key];
      await remove(key);
    },
  });
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"]).toString().trim();
  return { known: await liveIn(app, { commit, cut }), sql: server.dump(), files };
}
