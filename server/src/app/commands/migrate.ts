import { listKeysWithoutReceipts } from "#identity/index.ts";
import type { Settings } from "../config.ts";
import { describeKeys, howToReplace } from "../doctor/key-checks.ts";
import { howToRun } from "../installed/how-to-run.ts";
import { confirmMasterKeys } from "../master-keys/index.ts";
import { bringUpToDate } from "../migrations.ts";
import { createRuntime, makeLog } from "../runtime/index.ts";

const firstSteps = `
Next steps, each after \`${howToRun("").trimEnd()}\`:
  admin create --email <address>                            an operator, who also owns a first merchant
  projects create --merchant <merchant id> --name <name>    a project of that merchant
  keys create --project <project id> --name <name>          a TEST key of that project
`;

export async function run(settings: Settings): Promise<number> {
  const runtime = await createRuntime(settings, { log: makeLog({ level: "warn", pretty: true }), share: true });
  try {
    const applied = await bringUpToDate(runtime);
    process.stdout.write(applied.length === 0 ? "The database is up to date.\n" : `Applied ${applied.join(", ")}.\n`);
    await runtime.clock.follow();
    await confirmMasterKeys(runtime.ctx);
    if (applied.some((name) => name.startsWith("0001"))) process.stdout.write(firstSteps);
    const lost = await listKeysWithoutReceipts(runtime.ctx);
    if (lost.length > 0)
      process.stdout.write(`LIVE keys that can no longer report incoming transfers:${describeKeys(lost)}\n${howToReplace}\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}
