import { createEmailBatch } from "#email/index.ts";
import type { Tenant } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { countOpenRecipients, listMailTraces } from "#test/support/load/mail-kill.sql.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { answer, type MailPeer, mailPeer } from "#test/support/mail/mail-peer.ts";
import { arrived, startCrew } from "#test/support/programs/worker-crew.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { type MailWorkerPlan, startMailWork } from "./mail-work.ts";

/** Result of a run of kills. Every list contains violations. */
export interface MailKillReport {
  kills: number;
  accepted: number;
  delivered: number;
  bounced: number;
  /** Copies beyond the first that reached the server. */
  duplicates: number;
  copiesPerKill: number;
  /**
   * For messages that arrived more than once: how long ago their first copy had been acknowledged when the worker that sent it was killed,
   * median and maximum. Below zero: the body was being sent at the kill, and the response had no receiver.
   */
  answeredBeforeKillMs: { middle: number; longest: number };
  faults: string[];
  seconds: number;
}

/** When the server acknowledged a worker's message. */
interface Answered {
  worker: string;
  at: number;
}

interface Rounds {
  kills: number;
  mails: number;
  leaseMs: number;
  /** Concurrent emails of one worker, and so the maximum that its death can duplicate. */
  inProgress: number;
  /** Whether a share of the recipients is deferred at first. */
  greylisted: boolean;
  /** Whether only the worker that is killed is a program, and the others work in this process. */
  othersHere?: boolean;
}

const workersAtOnce = 2;
const ends = new Set(["delivered", "bounced", "failed", "suppressed", "canceled", "complained"]);

/**
 * Accepts emails while workers send them to a real mail server, kills a worker without warning each time some more have arrived, and starts
 * another; then compares what was accepted with what arrived and what was reported.
 */
export async function mailKillRounds(app: TestApp, rounds: Rounds): Promise<MailKillReport> {
  const startedAt = performance.now();
  app.clock.run();
  const tenant = await app.tenant({ livemode: true });
  const answers = new Map<string, Answered[]>();
  const peer = await mailPeer({
    // The response is written right after this.
    onBody: ({ raw, hello }) => {
      const id = messageIdOf(raw);
      answers.set(id, [...(answers.get(id) ?? []), { worker: hello, at: performance.now() }]);
      return undefined;
    },
    onRcpt: (to, attempt) => {
      if (to.startsWith("gone")) return answer(550, "5.1.1 User unknown");
      return rounds.greylisted && to.startsWith("grey") && attempt === 1
        ? answer(450, "4.2.0 Greylisted, try again in 60 seconds")
        : undefined;
    },
  });
  const plan = { url: app.url, port: peer.port, leaseMs: rounds.leaseMs, inProgress: rounds.inProgress };
  const killedAt = new Map<string, number>();
  const planOf = (number: number): MailWorkerPlan => ({ ...plan, hello: nameOf(number) });
  const crew = await startCrew({
    ...{ program: new URL("mail-worker.ts", import.meta.url), places: workersAtOnce, planOf },
    ...(rounds.othersHere === true ? { workHere: startMailWork } : {}),
  });
  try {
    const accepted = new Set<string>();
    const share = rounds.mails / rounds.kills;
    for (let kill = 0; kill < rounds.kills; kill += 1) {
      const before = peer.mails.length;
      await acceptSome(app, tenant, { from: accepted.size, to: Math.round(share * (kill + 1)), accepted });
      await arrived(() => peer.mails.length, before + share * Math.random() * 0.7);
      const victim = kill % workersAtOnce;
      crew.kill(victim);
      killedAt.set(nameOf(kill), performance.now());
      await crew.replace(victim);
    }
    await eventually("every copy has ended", async () => (await countOpenRecipients(app.ctx.db, tenant)) === 0, {
      everyMs: 100,
      withinMs: 3_000_000,
    });
    const found = await compare(app, { tenant, peer, accepted });
    const copies = { copiesPerKill: found.duplicates / rounds.kills, answeredBeforeKillMs: answeredBefore(answers, killedAt) };
    return { kills: rounds.kills, ...found, ...copies, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    await crew.stop();
  }
}

/** The worker's EHLO name. Workers are killed in the order in which they started. */
function nameOf(number: number): string {
  return `worker-${number}.tillpost.example`;
}

/** Adds the ids that were acknowledged. */
async function acceptSome(
  app: TestApp,
  tenant: Tenant,
  { from, to, accepted }: { from: number; to: number; accepted: Set<string> },
): Promise<void> {
  for (let at = from; at < to; at += 100) {
    const items = Array.from({ length: Math.min(100, to - at) }, (_, index) => newEmail({ to: recipientOf(at + index) }));
    const { data } = await createEmailBatch(app.ctx, tenant, { tier: "pro", items, strict: true });
    for (const { id } of data) accepted.add(id);
  }
}

function recipientOf(count: number): string {
  const kind = count % 20 === 0 ? "gone" : count % 20 === 1 ? "grey" : "here";
  return `${kind}-${count}@d${count % 3}.dev`;
}

async function compare(app: TestApp, { tenant, peer, accepted }: { tenant: Tenant; peer: MailPeer; accepted: Set<string> }) {
  const traces = await listMailTraces(app.ctx.db, tenant);
  const copiesOf = new Map<string, number>();
  for (const { raw } of peer.mails) {
    const id = messageIdOf(raw);
    copiesOf.set(id, (copiesOf.get(id) ?? 0) + 1);
  }
  const faults: string[] = [];
  if (traces.length !== accepted.size) faults.push(`${accepted.size} were accepted and ${traces.length} are there`);
  for (const { id, status, message_id, told, open } of traces) {
    const copies = copiesOf.get(message_id) ?? 0;
    copiesOf.delete(message_id);
    const told_ends = told.filter((name) => ends.has(name));
    if (!accepted.has(id)) faults.push(`${id} was never acknowledged`);
    if (told_ends.length !== 1 || told_ends[0] !== status || told.at(-1) !== status)
      faults.push(`${id} is ${status} and was told as ${told.join(", ")}`);
    if (open > 0) faults.push(`${id} is owed something`);
    if (status === "delivered" ? copies === 0 : copies > 0) faults.push(`${id} is ${status} and arrived ${copies} times`);
  }
  for (const id of copiesOf.keys()) faults.push(`${id} arrived and is no message`);
  const count = (status: string) => traces.filter((trace) => trace.status === status).length;
  const delivered = count("delivered");
  return { accepted: accepted.size, delivered, bounced: count("bounced"), duplicates: peer.mails.length - delivered, faults };
}

function messageIdOf(raw: Buffer): string {
  return /^Message-ID: (<[^>]+>)/im.exec(raw.subarray(0, 4096).toString())?.[1] ?? "none";
}

function answeredBefore(answers: Map<string, Answered[]>, killedAt: Map<string, number>): MailKillReport["answeredBeforeKillMs"] {
  const repeated = [...answers.values()].filter((all) => all.length > 1).map(([first]) => first as Answered);
  const ages = repeated
    .map(({ worker, at }) => Math.round((killedAt.get(worker) ?? Number.POSITIVE_INFINITY) - at))
    .sort((left, right) => left - right);
  return { middle: ages[ages.length >> 1] ?? 0, longest: ages.at(-1) ?? 0 };
}
