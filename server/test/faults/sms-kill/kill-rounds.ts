import { listUsage } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";
import { createSmsBatch, smsChannel } from "#sms/index.ts";
import { settleSent } from "#sms/receipts/take-receipt.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { liveShop } from "#test/support/messages/sms.ts";
import { arrived, startCrew } from "#test/support/programs/worker-crew.ts";
import { type CarriedPart, type FaultySmsc, partName, startFaultySmsc, type Treatment } from "#test/support/smpp/faulty-smsc.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { countOpenSms, listSmsTraces, type SmsTrace } from "./kill.sql.ts";
import type { SmsWorkerPlan } from "./sms-worker.ts";

/** Result of a run of kills. Every list contains violations. */
export interface SmsKillReport {
  kills: number;
  accepted: number;
  delivered: number;
  undelivered: number;
  failed: number;
  /** Messages whose outcome was unknown for a time, and how many of those are explained by a silent carrier or a dead worker. */
  doubts: number;
  explained: number;
  /** Connections that ended, on either side. */
  ended: number;
  onTheWay: Record<string, number>;
  faults: string[];
  seconds: number;
}

export interface SmsKillRounds {
  kills: number;
  messages: number;
  leaseMs: number;
  /** How long a carrier may take to respond. */
  responseMs: number;
}

/** Each has its own bind, and both may hold the third. */
const ownBinds = ["east-zeros", "west-hex"] as const;
const firstNumber = 2_000_000;
const atOnce = 100;
/** A connection that ends within this time of a submission may have lost its response. */
const cutWithinMs = 5_000;
/** Longer than any of these messages is valid. */
const validityMs = 11 * 3_600_000;

/**
 * Accepts messages while workers send them to a carrier that is often wrong, kills a worker without warning each time some more were
 * submitted, and starts another; then compares what was accepted with what the carrier knows and what was reported.
 */
export async function smsKillRounds(app: TestApp, rounds: SmsKillRounds): Promise<SmsKillReport> {
  const startedAt = performance.now();
  app.clock.run();
  const tenant = await liveShop(app);
  const smsc = await startFaultySmsc((number) => treatmentOf(placeOf(number)));
  const { leaseMs, responseMs } = rounds;
  const bindOf = (name: string) => `smpp://${name}:secret@127.0.0.1:${smsc.port}?name=${name}&window=10&tps=1000`;
  const planOf = (_number: number, place: number): SmsWorkerPlan => {
    return { url: app.url, binds: [ownBinds[place] as string, "shared"].map(bindOf).join(","), leaseMs, responseMs };
  };
  const crew = await startCrew({ program: new URL("sms-worker.ts", import.meta.url), places: ownBinds.length, planOf });
  try {
    let accepted = 0;
    const share = rounds.messages / rounds.kills;
    for (let kill = 0; kill < rounds.kills; kill += 1) {
      const before = smsc.submitted();
      const upTo = Math.round(share * (kill + 1));
      await acceptSome(app, tenant, { from: accepted, to: upTo });
      accepted = upTo;
      await arrived(smsc.submitted, before + share * Math.random() * 0.7);
      crew.kill(kill % ownBinds.length);
      await crew.replace(kill % ownBinds.length);
    }
    const isOver = async () => (await countOpenSms(app.ctx.db, tenant)) === 0 && smsc.owed() === 0;
    await eventually("each message has ended or is in doubt", isOver, { everyMs: 100, withinMs: 3_000_000 });
    const ended = smsc.ended();
    await crew.stop();
    const found = await compare(app, { tenant, smsc, accepted });
    return {
      kills: rounds.kills,
      ...found,
      ended,
      onTheWay: Object.fromEntries(smsc.onTheWay),
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } finally {
    await crew.stop();
    await smsc.stop();
  }
}

const numberOf = (n: number) => `+1415${firstNumber + n}`;
const placeOf = (number: string) => Number(number.slice(-7)) - firstNumber;
/** Three parts. */
const isLong = (n: number) => [8, 11, 13].includes(n % 25);

function treatmentOf(n: number): Treatment {
  const rare: Record<number, Treatment> = { 33: "hung up", 77: "hung up before", 95: "full", 111: "throttled" };
  const usual: Record<number, Treatment> = { 3: "late", 5: "early", 7: "twice", 9: "undelivered" };
  if ([13, 54].includes(n % 100)) return "unanswered";
  return rare[n % 300] ?? (n % 40 === 19 ? "refused" : (usual[n % 20] ?? "fine"));
}

async function acceptSome(app: TestApp, tenant: Tenant, { from, to }: { from: number; to: number }): Promise<void> {
  for (let at = from; at < to; at += atOnce) {
    const items = Array.from({ length: Math.min(atOnce, to - at) }, (_none, index) => {
      const n = at + index;
      return { to: numberOf(n), from: "+14155550100", body: isLong(n) ? `Order ${n} ${"on its way ".repeat(36)}` : `Order ${n}` };
    });
    await createSmsBatch(app.ctx, tenant, { tier: "enterprise", items, strict: true });
  }
}

interface Compared {
  tenant: Tenant;
  smsc: FaultySmsc;
  accepted: number;
}

async function compare(app: TestApp, { tenant, smsc, accepted }: Compared) {
  const before = await listSmsTraces(app.ctx.db, tenant);
  const doubts = new Map(before.filter(({ status }) => status === "sent").map((trace) => [trace.id, trace]));
  app.clock.advance(validityMs);
  while ((await settleSent(app.ctx)) > 0);
  const traces = await listSmsTraces(app.ctx.db, tenant);
  const faults = traces.flatMap((trace) => faultsOf(trace, { parts: partsOf(trace, smsc), doubt: doubts.get(trace.id) ?? null }));
  if (traces.length !== accepted) faults.push(`${accepted} were accepted and ${traces.length} are there`);
  const parts = traces.reduce((sum, { segments }) => sum + segments, 0);
  const { days } = await listUsage(app.ctx, tenant, { channel: smsChannel, tier: "enterprise" });
  const counted = days.reduce((sum, { used }) => sum + used, 0);
  if (counted !== parts) faults.push(`${parts} parts were accepted and ${counted} counted`);
  const count = (status: string) => traces.filter((trace) => trace.status === status).length;
  const explained = [...doubts.values()].filter((trace) => isExplained(partsOf(trace, smsc), smsc)).length;
  return {
    ...{ accepted: traces.length, delivered: count("delivered"), undelivered: count("undelivered"), failed: count("failed") },
    ...{ doubts: doubts.size, explained, faults },
  };
}

function partsOf({ recipient, segments }: SmsTrace, { parts }: FaultySmsc): CarriedPart[] {
  return Array.from({ length: segments }, (_none, index) => parts.get(partName(recipient.slice(1), index + 1)) ?? []).flat();
}

/** The carrier didn't respond, the connection that its response would have used ended, or the worker died before it sent anything. */
function isExplained(parts: readonly CarriedPart[], smsc: FaultySmsc): boolean {
  const isCut = (part: CarriedPart) => (smsc.endedAfterMs(part) ?? cutWithinMs) < cutWithinMs;
  return parts.every(({ taken }) => taken === 0) || parts.some((part) => part.unanswered > 0 || isCut(part));
}

interface Known {
  parts: readonly CarriedPart[];
  /** Its trace before it expired, if its outcome was unknown then. */
  doubt: SmsTrace | null;
}

const endings = new Map([
  ["delivered", "queued sent delivered"],
  ["undelivered", "queued sent undelivered"],
  ["failed", "queued failed"],
]);

/** What the carrier knows and what was reported must agree. */
function faultsOf(trace: SmsTrace, { parts, doubt }: Known): string[] {
  const { id, recipient, status, error_code, segments, told } = trace;
  const carried = JSON.stringify(parts.map(({ submitted: _submitted, ...part }) => part));
  const name = `${id} to ${recipient} (${status}, ${error_code}, told as ${told.join(", ")}; at the carrier ${carried})`;
  const faults: string[] = [];
  const fault = (what: string) => void faults.push(`${name} ${what}`);
  if (told.join(" ") !== endings.get(status)) fault("has not ended once");
  if (parts.some(({ taken }) => taken > 1)) fault("was submitted twice");
  if (parts.some(({ unanswered }) => unanswered > 0) && doubt === null) fault("was no doubt, though the carrier gave no answer");
  if (doubt !== null && doubt.error_code !== "outcome_unknown") fault("was sent and not told as a doubt");
  if (doubt !== null && doubt.told.join(" ") !== "queued sent") fault("had ended while it was in doubt");
  const isTaken = parts.length === segments && parts.every(({ taken }) => taken === 1);
  const reports = parts.map((part) => part.reported);
  if (status === "delivered" && !(doubt === null ? isTaken && !reports.includes("UNDELIV") : reports.includes("DELIVRD")))
    fault("is delivered, which the carrier doesn't know");
  if (status === "delivered" && doubt !== null && doubt.segments_sent + 1 < segments) fault("is delivered, but not all of it was sent");
  if (status === "undelivered" && (doubt === null ? !reports.includes("UNDELIV") : error_code !== "outcome_unknown"))
    fault("is undelivered, which the carrier doesn't know");
  if (status === "failed" && !parts.some(({ refused }) => refused)) fault("has failed, and was not refused");
  return faults;
}
