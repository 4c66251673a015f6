import { openSession } from "#platform/index.ts";
import { makeRoles } from "../database-roles/index.ts";
import type { Finding } from "../doctor/checks.ts";
import { confirmMasterKeys } from "../master-keys/index.ts";
import { bringUpToDate } from "../migrations.ts";
import { anchorFile, createRuntime } from "../runtime/index.ts";
import { markStep, type UpgradeOptions } from "./steps.ts";

/**
 * Migrates a copy to this version's schema as a start would, and audits it as `doctor` does: every balance, the books, the chains of the
 * audit log under their keys. Throws a readable error if something is wrong.
 */
export async function checkCopy(superuserUrl: string, options: UpgradeOptions): Promise<void> {
  const { settings, log, say } = options;
  const { appUrl, ownerUrl } = await makeRoles(superuserUrl);
  const runtime = await createRuntime({ ...settings, DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl, DATABASE_PREPARE: true }, { log });
  try {
    const applied = await bringUpToDate(runtime);
    if (applied.length > 0) say(`Applied ${applied.length} migrations of this version`);
    await markStep("migrated", options);
    await runtime.clock.follow();
    await confirmMasterKeys(runtime.ctx);
    say("Auditing the ledger, the books and the audit log");
    const audits = await import("../doctor/audits.ts");
    await audits.chainWaiting(runtime.ctx);
    const findings = [
      ...(await audits.auditMoney(runtime.ctx)),
      ...(await audits.auditAuditLog(runtime.ctx, anchorFile(settings.TILLPOST_DATA_DIR))),
    ];
    refuseFaults(
      findings.filter(({ state }) => state === "fault"),
      options,
    );
  } finally {
    await runtime.close();
  }
  const session = await openSession(superuserUrl);
  try {
    // Without statistics the first minutes would be slow.
    await session.script("analyze");
  } finally {
    await session.close();
  }
}

function refuseFaults(faults: readonly Finding[], { despiteFaults, say }: UpgradeOptions): void {
  if (faults.length === 0) return;
  const list = faults.map(({ message }) => `\n  ${message}`).join("");
  if (!despiteFaults)
    throw new Error(
      `The copy equals the old database, and both have errors:${list}\nInvestigate them with the previous version's \`doctor\`. To keep them: --despite-faults`,
    );
  say(`Kept as it was:${list}`);
}
