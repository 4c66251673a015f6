import { type Ctx, onHint } from "#platform/index.ts";
import { findBody } from "../rows.sql.ts";
import type { EmailTransport, SendOutcome } from "../transport.ts";
import { updateLeases, updatePlanning } from "./claim.sql.ts";
import { type Claimed, claimDue, newRounds, type Rounds, leaseMs as usualLeaseMs } from "./claim-due.ts";
import { type Ended, endSends } from "./end-sends.ts";
import { parcelOf } from "./parcel.ts";

/** One process's part in sending mail: claims, sends and writes down what came of it. */
export interface EmailSender {
  /** Writes down what has come back and begins what is due. Does not wait for the answers. */
  run(ctx: Ctx): Promise<number>;
  listen(ctx: Ctx, wake: () => void): () => void;
  /** Waits some seconds for sends under way and gives back what was not begun. What is still out then is sent again when its lease has lapsed. */
  finish(ctx: Ctx): Promise<void>;
}

export interface SenderOptions {
  /** Without one for LIVE, LIVE mail stays queued. */
  transports: { live?: EmailTransport | undefined; test: EmailTransport };
  leaseMs?: number;
}

interface Mode {
  livemode: boolean;
  transport: EmailTransport;
  rounds: Rounds;
  /** Claimed and not begun. */
  waiting: Claimed[];
  begun: Map<string, Begun>;
}

interface Begun {
  claimed: Claimed;
  abort: AbortController;
  done: Promise<void>;
}

const drainMs = 6_000;
const extendEveryMs = 15_000;
/** Bytes of messages being sent at once; one larger message goes alone. */
const bytesAtOnce = 96 * 1024 * 1024;

/** Results wait in memory for the next transaction, so that many of them share one: the busier, the larger the shares. */
export function createEmailSender({ transports, leaseMs = usualLeaseMs }: SenderOptions): EmailSender {
  const modes = [...(transports.live === undefined ? [] : [modeOf(true, transports.live)]), modeOf(false, transports.test)];
  /** What must be left of a lease before its send begins: until the next extension, and some. */
  const leastMs = Math.min(20_000, leaseMs / 2);
  let ended: Ended[] = [];
  let extendedAt = 0;
  let closing = false;
  let ring = () => {};

  const end = (mode: Mode, claimed: Claimed, outcome: SendOutcome | null) => {
    const left = (mode.rounds.inHand.get(claimed.lane) ?? 1) - 1;
    if (left === 0) mode.rounds.inHand.delete(claimed.lane);
    else mode.rounds.inHand.set(claimed.lane, left);
    const { email, recipient } = claimed;
    ended.push({ key: { project_id: email.project_id, livemode: email.livemode, id: email.id }, recipient, lease: recipient.lease, outcome });
    ring();
  };

  const begin = (ctx: Ctx, mode: Mode, claimed: Claimed) => {
    const abort = new AbortController();
    const done = sendOne(ctx, { transport: mode.transport, claimed, signal: abort.signal }).then((outcome) => {
      mode.begun.delete(claimed.recipient.id);
      end(mode, claimed, outcome);
      pump(ctx, mode);
    });
    mode.begun.set(claimed.recipient.id, { claimed, abort, done });
  };

  /** Begins as many as may be under way. What has waited too long for its lease goes back. */
  const pump = (ctx: Ctx, mode: Mode) => {
    while (!closing && mode.begun.size < mode.transport.concurrency) {
      const next = mode.waiting[0];
      if (next === undefined || !hasRoomFor(mode, next)) return;
      mode.waiting.shift();
      if (next.leaseUntil.getTime() - ctx.now().getTime() < leastMs) end(mode, next, null);
      else begin(ctx, mode, next);
    }
  };

  const record = async (ctx: Ctx, claim: boolean) => {
    const endings = ended;
    ended = [];
    const stillHeld = modes.flatMap((mode) => [...mode.begun.values()].map(({ claimed }) => claimed).concat(mode.waiting));
    const extend = stillHeld.length > 0 && ctx.now().getTime() - extendedAt >= Math.min(extendEveryMs, leaseMs / 3);
    try {
      const fresh = await ctx.transact(async (tx) => {
        await updatePlanning(tx);
        await endSends(tx, ctx, endings);
        if (extend) await extendLeases(ctx, () => updateLeases(tx, stillHeld.map(leaseOf), new Date(ctx.now().getTime() + leaseMs)), { modes, leaseMs });
        const claims: [Mode, Claimed[]][] = [];
        if (claim) for (const mode of modes) claims.push([mode, await claimDue(tx, ctx, { rounds: mode.rounds, claiming: roomOf(mode, leaseMs) })]);
        return claims;
      });
      if (extend || stillHeld.length === 0) extendedAt = ctx.now().getTime();
      return fresh;
    } catch (error) {
      // Nothing of this is lost: written twice it changes nothing, because its lease is gone after the first time.
      ended = [...endings, ...ended];
      throw error;
    }
  };

  return {
    async run(ctx) {
      abortLapsed(ctx, modes);
      const fresh = await record(ctx, true);
      for (const [mode, claimed] of fresh) {
        const { inHand } = mode.rounds;
        for (const { lane } of claimed) inHand.set(lane, (inHand.get(lane) ?? 0) + 1);
        mode.waiting.push(...claimed);
        pump(ctx, mode);
      }
      return 0;
    },
    listen(ctx, wake) {
      ring = wake;
      return onHint(ctx.db, "emails", wake);
    },
    async finish(ctx) {
      closing = true;
      for (const mode of modes) for (const claimed of mode.waiting.splice(0)) end(mode, claimed, null);
      const patience = new Promise<void>((resolve) => void setTimeout(resolve, drainMs).unref());
      await Promise.race([Promise.all(modes.flatMap((mode) => [...mode.begun.values()].map(({ done }) => done))), patience]);
      if (ended.length > 0) await record(ctx, false);
    },
  };
}

function modeOf(livemode: boolean, transport: EmailTransport): Mode {
  return { livemode, transport, rounds: newRounds(), waiting: [], begun: new Map() };
}

/** As many claimed ahead as are under way, so that no slot waits for the database. */
function roomOf({ livemode, transport, waiting, begun }: Mode, leaseMs: number) {
  const slots = transport.concurrency * 2;
  return { livemode, leaseMs, room: slots - waiting.length - begun.size, laneMax: Math.max(1, Math.ceil(slots * 0.75)) };
}

function hasRoomFor(mode: Mode, next: Claimed): boolean {
  if (mode.begun.size === 0) return true;
  const under = [...mode.begun.values()].reduce((sum, { claimed }) => sum + claimed.email.size_bytes, 0);
  return under + next.email.size_bytes <= bytesAtOnce;
}

function leaseOf({ email, recipient }: Claimed) {
  return { project_id: email.project_id, livemode: email.livemode, id: email.id, position: recipient.position, lease: recipient.lease };
}

/** A lease that could not be extended is somebody else's: its send stops, its turn is gone. */
async function extendLeases(ctx: Ctx, update: () => Promise<{ id: string }[]>, { modes, leaseMs }: { modes: Mode[]; leaseMs: number }): Promise<void> {
  const kept = new Set((await update()).map((row) => row.id));
  const until = new Date(ctx.now().getTime() + leaseMs);
  for (const mode of modes) {
    for (const { claimed, abort } of mode.begun.values()) {
      if (kept.has(claimed.recipient.id)) claimed.leaseUntil = until;
      else abort.abort();
    }
    for (const claimed of mode.waiting) if (kept.has(claimed.recipient.id)) claimed.leaseUntil = until;
  }
}

/** While the database is away leases cannot be extended; a send must not outlive its own. */
function abortLapsed(ctx: Ctx, modes: Mode[]): void {
  for (const mode of modes) for (const { claimed, abort } of mode.begun.values()) if (claimed.leaseUntil <= ctx.now()) abort.abort();
}

/** Never throws: what cannot be composed is tried again, as what could not be sent is. */
async function sendOne(ctx: Ctx, given: { transport: EmailTransport; claimed: Claimed; signal: AbortSignal }): Promise<SendOutcome> {
  const { transport, claimed, signal } = given;
  const { email, recipient } = claimed;
  try {
    const body = claimed.body ?? (await findBody(ctx.db, email, email.id));
    if (body === null)
      return {
        provider: transport.name,
        result: "refused",
        suppress: false,
        bounce: { type: "permanent", subtype: "policy" },
        diagnostic: "Its text is no longer kept.",
      };
    const parcel = await parcelOf(ctx, { email, recipient, body });
    return await transport.send(parcel, signal);
  } catch (error) {
    ctx.log.error({ err: error, email: email.id }, "a message could not be prepared for sending; it will be tried again");
    return {
      provider: transport.name,
      result: "deferred",
      bounce: { type: "undetermined", subtype: "general" },
      diagnostic: "The message could not be prepared for sending.",
    };
  }
}
