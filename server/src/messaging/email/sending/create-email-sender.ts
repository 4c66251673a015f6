import { type Ctx, createAlone, createLeaseNames, onHint, updateExtended, updatePlanning } from "#platform/index.ts";
import type { Compose } from "../compose/compose-apart.ts";
import type { EmailTransport } from "../transport.ts";
import { emailQueue } from "./claim.sql.ts";
import { type Claimed, claimAlone, claimDue, leaseMs as usualLeaseMs } from "./claim-due.ts";
import { type Ended, endSends } from "./end-sends.ts";
import { createGather } from "./gather.ts";
import { readyNotes } from "./note-taken.ts";
import { claimName, createOutlet, heldName, type Outlet, type OutletOptions } from "./outlet.ts";

/** One process's part in sending mail: claims, sends and writes down what came of it. */
export interface EmailSender {
  /** Writes down what has come back and begins what is due. Does not wait for the answers. */
  run(ctx: Ctx): Promise<number>;
  listen(ctx: Ctx, wake: () => void): () => void;
  /** Waits some seconds for sends under way, then stops them. What no server got whole is given back; of the rest nobody knows, so it is tried again by the schedule. */
  finish(ctx: Ctx): Promise<void>;
}

export interface SenderOptions {
  /** Without one for LIVE, LIVE mail stays queued. */
  transports: { live?: EmailTransport | undefined; test: EmailTransport };
  leaseMs?: number;
  /** How long `finish` waits for sends under way. */
  drainMs?: number;
  /** How long after its beginning a process takes the first of those that go alone. */
  aloneAfterMs?: number;
  /** How messages are made; in threads of this process unless a test says. */
  compose?: Compose;
}

const usualDrainMs = 6_000;
const stopMs = 2_000;
const extendEveryMs = 15_000;
/** What must be left of a lease when its send begins: until the next extension, and some. */
const leastMs = 20_000;
/** A round writes down so many results, or what came so long after the first. As many are claimed ahead as are under way, so that no slot waits for it. */
const gathered = { most: 96, waitMs: 30 };

/** Results wait in memory for the next transaction, so that many of them share one: the busier, the larger the shares. */
export function createEmailSender({ transports, leaseMs = usualLeaseMs, drainMs = usualDrainMs, aloneAfterMs, compose }: SenderOptions): EmailSender {
  let ended: Ended[] = [];
  let extendedAt = 0;
  let ring = () => {};
  const [names, alone] = [createLeaseNames(), createAlone(aloneAfterMs)];
  const gather = createGather({ ...gathered, isBusy: () => outlets.some((outlet) => outlet.isBusy()), ring: () => ring() });
  const onEnded = (one: Ended, claimed: Claimed) => {
    alone.ended(heldName(claimed));
    ended.push(one);
    gather.note(ended.length);
  };
  const outlets = outletsOf(transports, { leastMs: Math.min(leastMs, leaseMs / 2), compose, onEnded });

  const record = async (ctx: Ctx, claimFor: Outlet[]) => {
    gather.silence();
    const endings = ended;
    ended = [];
    const held = outlets.flatMap((outlet) => outlet.held());
    const isTime = ctx.now().getTime() - extendedAt >= Math.min(extendEveryMs, leaseMs / 3);
    try {
      const looks = claimFor.length > 0 && alone.looks();
      const done = await writeRound(ctx, { endings, extended: isTime ? held : [], claimFor, looks, lease: names.next(ctx), leaseMs });
      if (done.suspect !== undefined) alone.took(heldName(done.suspect));
      if (isTime) extendedAt = ctx.now().getTime();
      if (isTime) for (const outlet of outlets) outlet.noteExtended(done.kept, done.until);
      return done.fresh;
    } catch (error) {
      // Nothing of this is lost: written twice it changes nothing, because its lease is gone after the first time.
      ended = [...endings, ...ended];
      throw error;
    }
  };

  return {
    async run(ctx) {
      for (const outlet of outlets) outlet.abortLapsed(ctx.now());
      const claimFor = outlets.filter((outlet) => outlet.wants());
      const fresh = await record(ctx, claimFor);
      if (fresh.some(([outlet, claimed]) => outlet.livemode && claimed.length > 0)) await readyNotes(ctx);
      for (const [outlet, claimed] of fresh) outlet.take(ctx, claimed);
      return 0;
    },
    listen(ctx, wake) {
      ring = wake;
      return onHint(ctx.db, "emails", () => gather.note(ended.length));
    },
    finish: (ctx) => finish(outlets, { drainMs, record: () => (ended.length > 0 ? record(ctx, []) : null) }),
  };
}

function outletsOf({ live, test }: SenderOptions["transports"], given: Pick<OutletOptions, "leastMs" | "compose" | "onEnded">): Outlet[] {
  const outletOf = (livemode: boolean, transport: EmailTransport) => createOutlet({ livemode, transport, ...given });
  return [...(live === undefined ? [] : [outletOf(true, live)]), outletOf(false, test)];
}

async function finish(outlets: Outlet[], { drainMs, record }: { drainMs: number; record: () => Promise<unknown> | null }): Promise<void> {
  await Promise.race([Promise.all(outlets.map((outlet) => outlet.close())), pause(drainMs)]);
  // A transport that does not stop keeps its leases, which lapse.
  await Promise.race([Promise.all(outlets.map((outlet) => outlet.giveBack())), pause(stopMs)]);
  await record();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}

interface Round {
  endings: Ended[];
  /** Whose leases are to be lengthened. */
  extended: Claimed[];
  claimFor: Outlet[];
  /** Whether one of those that go alone is claimed too. */
  looks: boolean;
  lease: string;
  leaseMs: number;
}

async function writeRound(ctx: Ctx, { endings, extended, claimFor, looks, lease, leaseMs }: Round) {
  const until = new Date(ctx.now().getTime() + leaseMs);
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    await endSends(tx, ctx, endings);
    const leases = [...new Set(extended.map(({ recipient }) => recipient.lease))];
    const kept = leases.length === 0 ? [] : await updateExtended(tx, emailQueue, { leases, forMs: leaseMs });
    const fresh: [Outlet, Claimed[]][] = [];
    let suspect: Claimed | undefined;
    for (const outlet of claimFor) {
      const claiming = { livemode: outlet.livemode, lease, leaseMs, ...outlet.room() };
      if (looks && suspect === undefined) [suspect] = await claimAlone(tx, ctx, { claiming });
      const due = await claimDue(tx, ctx, { rounds: outlet.rounds, claiming });
      fresh.push([outlet, suspect?.email.livemode === outlet.livemode ? [suspect, ...due] : due]);
    }
    return { until, fresh, suspect, kept: new Set(kept.map(claimName)) };
  });
}
