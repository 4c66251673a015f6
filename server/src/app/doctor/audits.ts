import { type AnchorKeeper, auditChain, chainAudit, checkAnchors, checkAnchorsExist, isDayAhead } from "#audit/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks } from "#orders/index.ts";
import { type Ctx, counted } from "#platform/index.ts";
import { howToRun } from "../installed/how-to-run.ts";
import type { Finding } from "./checks.ts";

const shownMax = 20;
/** The day of the newest anchor, a day without one, and some hours. */
const lateMs = 60 * 3_600_000;
/** What `auditBooks` checks, with the names that its faults use: also shown if everything is correct. */
const bookRules = [
  "paid orders equal their order_payment transfers",
  "one order.paid event for each paid order",
  "held money equals the exceptions that hold it",
  "every received cent is booked",
  "orders received what the ledger booked for them",
  "balances equal what orders received plus held money",
];

/** Recomputes the ledger and compares it with orders, events and exceptions. */
export async function auditMoney(ctx: Ctx): Promise<Finding[]> {
  const ledger = await auditLedger(ctx);
  const books = await auditBooks(ctx);
  const read = `${counted(ledger.transfers, "transfer")} of ${counted(ledger.tenants, "tenant")}`;
  const rules = new Set([...bookRules, ...books.map((fault) => fault.rule)]);
  return [
    equation("every balance is the sum of its transfers", ledger.faults, read),
    ...[...rules].map((rule) =>
      equation(
        rule,
        books.filter((fault) => fault.rule === rule),
        "all orders",
      ),
    ),
  ];
}

/** The stored anchors of the audit log. */
export interface StoredAnchors extends AnchorKeeper {
  path: string;
  /** They belong to a backup, and the database has newer entries: missing ones aren't a fault. */
  endEarlier?: boolean;
}

/**
 * Chains the waiting rows, as a start does. For databases that no worker serves at the moment, such as a stopped installation or a restored
 * copy: otherwise the rows of its last second would be reported as a fault once they're a minute old.
 */
export async function chainWaiting(ctx: Ctx): Promise<void> {
  while ((await chainAudit(ctx)) > 0);
}

/** Recomputes the keyed chain of every merchant's audit log, and compares it with the anchors outside the database. */
export async function auditAuditLog(ctx: Ctx, keeper: StoredAnchors): Promise<Finding[]> {
  const anchors = await keeper.list().catch((error: Error) => error);
  if (anchors instanceof Error)
    return [...(await auditAuditLog(ctx, { ...keeper, list: async () => [] })), equation("anchors can be read", [anchors.message], "")];
  const report = await auditChain(ctx, anchors);
  const read = `${counted(report.rows, "row")} of ${counted(report.merchants, "merchant")}`;
  const findings = [equation("every audit row is chained to the one before", report.faults, read)];
  const lost = await checkAnchorsExist(ctx, keeper.list);
  if (lost.length > 0) findings.push(keeper.endEarlier === true ? anchorsEndEarlier(keeper.path, lost) : anchorsLost(keeper.path, lost));
  const newest = anchors.at(-1);
  if (newest === undefined && lost.length > 0) return findings;
  if (newest === undefined) {
    const message = `no anchors of the audit log in ${keeper.path}`;
    return [
      ...findings,
      {
        check: "audit",
        state: "note",
        message,
        fix: "The process that runs the background work writes one every day. Compare with its log or its emails.",
      },
    ];
  }
  const days = `${counted(anchors.length, "day")}, the newest ${newest.at}, fingerprint ${newest.root.slice(0, 16)}`;
  return [...findings, equation("the anchors carry this audit log's seal", await checkAnchors(ctx, anchors), days)];
}

/** Whether the audit log of a running installation was anchored lately. */
export async function checkAnchorsAge({ now }: Pick<Ctx, "now">, keeper: AnchorKeeper): Promise<Finding[]> {
  const newest = await keeper.newestDay().catch(() => null);
  if (newest === null) return [];
  const isAhead = isDayAhead(newest, now());
  if (!isAhead && now().getTime() - Date.parse(newest) < lateMs) return [];
  const message = isAhead
    ? `the audit log's newest anchor is dated ${newest}, which is in the future: the clock was ahead`
    : `the audit log was last anchored on ${newest}`;
  const fix = `The process that runs the background work ${isAhead ? "anchors it again within a minute" : "does it once a day"}, but not while a backup is being taken. Check whether it runs, and its log.`;
  return [{ check: "audit", state: "note", message, fix }];
}

function anchorsEndEarlier(path: string, lost: readonly string[]): Finding {
  return {
    check: "audit",
    state: "note",
    message: `the backup's anchors end before the write-ahead log next to it (${path})\n           ${lost.join("\n           ")}`,
  };
}

function anchorsLost(path: string, lost: readonly string[]): Finding {
  const fix = `Check the log and the emails of those days for the fingerprints. If another machine runs the background work, check there. If you know the reason, such as a restore, state it: ${howToRun("doctor --begin-anchors")} "<why>"`;
  return {
    check: "audit",
    state: "fault",
    message: `FAILED: ${path} covers all anchored days\n           ${lost.join("\n           ")}`,
    fix,
  };
}

function equation(message: string, faults: readonly unknown[], read: string): Finding {
  if (faults.length === 0) return { check: "audit", state: "fine", message: `${message} (${read})` };
  const shown = faults.slice(0, shownMax).map((fault) => `\n           ${typeof fault === "string" ? fault : JSON.stringify(fault)}`);
  return {
    check: "audit",
    state: "fault",
    message: `FAILED: ${message}${shown.join("")}`,
    fix: "Stop taking payments, keep a copy of the database, and report this: normal use can't cause it.",
  };
}
