import { join } from "node:path";
import { pino } from "pino";
import { openDataFolder, startEmbedded } from "#app/embedded/index.ts";
import { allScopes, createApiKey, createMerchant } from "#identity/index.ts";
import { migrate, openDatabase } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import { contextOn } from "#test/context.ts";
import { temporaryFolder } from "#test/program.ts";
import { measureAccept } from "./measure-accept.ts";
import { measureMail } from "./measure-mail.ts";
import { table } from "./report.ts";

/** A program: the rows of e-mail alone; with `--delivery` those of sending alone. */
const quick = process.argv.includes("--quick");
const mails = quick ? 2_000 : 10_000;
const folder = temporaryFolder();
const home = openDataFolder(join(folder.path, "data"));
const embedded = await startEmbedded(home, {
  log: pino({ level: "warn" }),
  connections: 60,
  onLost: (error) => {
    throw error;
  },
});
try {
  await migrate(embedded.url, new URL("../migrations/", import.meta.url));
  const database = openDatabase({ url: embedded.url, max: 2 });
  const files = { put: async () => {}, get: async () => null, remove: async () => {} };
  const ctx = contextOn(database, { now: () => new Date(), files });
  const merchant = await createMerchant(ctx, { display_name: "Bench", messaging_tier: "enterprise" });
  const project = await createProject(ctx, { merchant_id: merchant.id, name: "Bench", default_currency: "CNY" });
  const tenant = { project_id: project.id, livemode: false };
  const key = await createApiKey(ctx, { ...tenant, name: "bench", permissions: [...allScopes] });
  await database.close();
  if (!process.argv.includes("--delivery")) {
    const accepted = await measureAccept({ url: embedded.url, tenant, authorization: `authorization: Bearer ${key.secret}\r\n`, quick });
    process.stdout.write(`${table(accepted)}\n`);
  }
  process.stdout.write(`${table(await measureMail({ url: embedded.url, tenant: { project_id: project.id, livemode: true }, mails }))}\n`);
} finally {
  await embedded.stop();
  await home.release();
  folder.remove();
}
