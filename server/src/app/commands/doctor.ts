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
import { explainFault } from "../explain-fault.ts";
import { anchorFile, createRuntime, makeLog, type Runtime } from "../runtime/index.ts";
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
  const egress = attempt("egress", () => checkEgress(settings));
  const mail = attempt("mail", () => checkMail(settings, { isRunning: true }));
  const binds = attempt("sms", () => checkBinds(settings));
  const calls = attempt("calls", () => checkCalls(settings));
  const runtime = await createRuntime(settings, { log: makeLog({ level: "error", pretty: true }), share: true });
  try {
    const { ctx } = runtime;
    const findings = [
      ...(await attempt("database", () => checkDatabase(ctx))),
      ...(await attempt("disk", async () => [await checkDisk(settings)])),
      ...(await attempt("backup", () => checkBackups(settings, ctx.now()))),
      ...(await attempt("secrets", () => checkMasterKeys(ctx))),
      ...(await attempt("secrets", () => checkSecrets(settings, ctx))),
      ...(await attempt("files", () => checkFiles(runtime.files, settings))),
      ...(await attempt("limits", () => checkLimits(settings, runtime.databaseUrl))),
      ...(await attempt("server", async () => [await checkPort(settings), ...checkHttps(settings), ...checkProxies(settings)])),
      ...(await egress),
      ...(await mail),
      ...(await binds),
      ...(await attempt("carriers", () => checkCarriers(ctx, settings))),
      ...(await calls),
    ];
    if (findings.some((finding) => finding.check === "database" && finding.state === "fault")) return findings;
    return [...findings, ...(await examineContent(runtime, { settings, given }))];
  } finally {
    await runtime.close();
  }
}

/** What the database contains, and with `--ledger` or `--audit` whether it adds up. */
async function examineContent(runtime: Runtime, { settings, given }: { settings: Settings; given: Given }): Promise<Finding[]> {
  const { ctx } = runtime;
  const findings = [
    ...(await attempt("database", () => checkRoles(ctx))),
    ...(await attempt("mail", () => checkPlatformDomain(ctx, settings))),
    ...(await attempt("keys", () => checkReceiptKeys(ctx))),
    ...(await attempt("numbers", () => checkNumbers(ctx))),
    ...(await attempt("clock", () => runtime.clock.follow().then(() => []))),
  ];
  const audits = await import("../doctor/audits.ts");
  if (given.values["ledger"] === true) findings.push(...(await attempt("audit", () => audits.auditMoney(ctx))));
  const reason = given.values["begin-anchors"];
  if (reason !== undefined) findings.push(...(await attempt("audit", async () => [await beginAnew(ctx, settings, String(reason).trim())])));
  if (given.values["audit"] !== true && reason === undefined) return findings;
  // While the data folder is locked here, no worker runs that would do this. The audit reports what prevents it.
  if (runtime.dataFolder !== null) await audits.chainWaiting(ctx).catch(() => {});
  const anchors = anchorFile(settings.TILLPOST_DATA_DIR);
  findings.push(...(await attempt("audit", () => audits.auditAuditLog(ctx, anchors))));
  findings.push(...(await attempt("audit", () => audits.checkAnchorsAge(ctx, anchors))));
  return findings;
}

/** Runs a check. One that fails is a fault itself, and doesn't keep the others from running. */
async function attempt(check: string, run: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await run();
  } catch (error) {
    const [reason = ""] = explainFault(error).split("\n");
    return [{ check, state: "fault", message: `this couldn't be checked: ${reason}` }];
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
