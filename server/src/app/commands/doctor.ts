import { beginAnchors } from "#audit/index.ts";
import { type Ctx, counted } from "#platform/index.ts";
import { checkCarriers } from "../carriers/carrier-checks.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { checkBackups } from "../doctor/backup-checks.ts";
import { checkCalls } from "../doctor/call-checks.ts";
import {
  checkDatabase,
  checkDisk,
  checkEgress,
  checkHttps,
  checkMasterKeys,
  checkProxies,
  checkSecrets,
  type Finding,
} from "../doctor/checks.ts";
import { checkPlatformDomain } from "../doctor/domain-checks.ts";
import { checkFiles } from "../doctor/file-checks.ts";
import { checkReceiptKeys } from "../doctor/key-checks.ts";
import { checkLimits } from "../doctor/limit-checks.ts";
import { lineOf } from "../doctor/line-of.ts";
import { checkMail } from "../doctor/mail-checks.ts";
import { checkNumbers } from "../doctor/number-checks.ts";
import { checkPort } from "../doctor/port-checks.ts";
import { checkRoles } from "../doctor/role-checks.ts";
import { checkBinds } from "../doctor/smpp-checks.ts";
import { anchorFile, createRuntime, makeLog } from "../runtime/index.ts";
import { requireInstalled } from "./process/create-shared-runtime.ts";

export async function run(settings: Settings, given: Given): Promise<number> {
  requireInstalled(settings);
  const findings = await examine(settings, given);
  process.stdout.write(findings.map(lineOf).join(""));
  const faults = findings.filter((finding) => finding.state === "fault").length;
  process.stdout.write(faults === 0 ? "\nNo problems found.\n" : `\n${counted(faults, "problem")} found.\n`);
  return faults === 0 ? 0 : 1;
}

async function examine(settings: Settings, given: Given): Promise<Finding[]> {
  const egress = checkEgress(settings);
  const mail = checkMail(settings, { isRunning: true });
  const binds = checkBinds(settings);
  const calls = checkCalls(settings);
  const runtime = await createRuntime(settings, { log: makeLog({ level: "error", pretty: true }), share: true });
  try {
    const findings = [
      ...(await checkDatabase(runtime.ctx)),
      await checkDisk(settings),
      ...checkBackups(settings, runtime.ctx.now()),
      ...(await checkMasterKeys(runtime.ctx)),
      ...checkSecrets(settings, runtime.ctx),
      ...(await checkFiles(runtime.files, settings)),
      ...(await checkLimits(settings, runtime.databaseUrl)),
      await checkPort(settings),
      ...checkHttps(settings),
      ...checkProxies(settings),
      ...(await egress),
      ...(await mail),
      ...(await binds),
      ...(await checkCarriers(runtime.ctx, settings)),
      ...(await calls),
    ];
    if (findings.some((finding) => finding.check === "database" && finding.state === "fault")) return findings;
    findings.push(...(await checkRoles(runtime.ctx)), ...(await checkPlatformDomain(runtime.ctx, settings)));
    findings.push(...(await checkReceiptKeys(runtime.ctx)), ...(await checkNumbers(runtime.ctx)));
    await runtime.clock.follow();
    const audits = await import("../doctor/audits.ts");
    if (given.values["ledger"] === true) findings.push(...(await audits.auditMoney(runtime.ctx)));
    if (given.values["begin-anchors"] !== undefined)
      findings.push(await beginAnew(runtime.ctx, settings, String(given.values["begin-anchors"]).trim()));
    if (given.values["audit"] === true || given.values["begin-anchors"] !== undefined) {
      // While the data folder is locked here, no worker runs that would do this. The audit reports what prevents it.
      if (runtime.dataFolder !== null) await audits.chainWaiting(runtime.ctx).catch(() => {});
      const anchors = anchorFile(settings.TILLPOST_DATA_DIR);
      findings.push(...(await audits.auditAuditLog(runtime.ctx, anchors)), ...(await audits.checkAnchorsAge(runtime.ctx, anchors)));
    }
    return findings;
  } finally {
    await runtime.close();
  }
}

async function beginAnew(ctx: Ctx, settings: Settings, reason: string): Promise<Finding> {
  if (reason === "")
    return {
      check: "audit",
      state: "fault",
      message: "the anchors weren't restarted: a reason is missing",
      fix: 'Add it: --begin-anchors "<why>"',
    };
  const started = await beginAnchors(
    { ...ctx, actor: { kind: "system", id: "command line" } },
    anchorFile(settings.TILLPOST_DATA_DIR),
    reason,
  );
  if (started === null)
    return {
      check: "audit",
      state: "fault",
      message: "the anchors weren't restarted: a backup is being taken",
      fix: "Run the same command once the backup is done.",
    };
  const before = started.aside === null ? "there were none before" : `the earlier ones are in ${started.aside}`;
  return { check: "audit", state: "note", message: `the anchors were restarted, and the audit log says why; ${before}` };
}
