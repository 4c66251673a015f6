import { type Ctx, createShares } from "#platform/index.ts";
import { findSender } from "../../domain/find-sender.ts";
import { type Compose, TooComplex } from "../compose/compose-apart.ts";
import { findSendBody } from "../rows.sql.ts";
import type { BounceKind, EmailTransport, SendOutcome } from "../transport.ts";
import { jobOf } from "./claim.sql.ts";
import { type Claimed, newRounds, type Rounds } from "./claim-due.ts";
import type { Ended } from "./end-sends.ts";
import { noteTaken, untilNoted } from "./note-taken.ts";
import { isLarge, parcelOf } from "./parcel.ts";
import { createTurns, type Turns } from "./turns.ts";

/** One environment's way out: what this process has claimed, and what of it is under way. */
export interface Outlet {
  readonly livemode: boolean;
  readonly rounds: Rounds;
  /** How many more may be claimed, and how many of one lane. */
  room(): { room: number; laneMax: number };
  /** Takes claimed recipients over and begins as many as may be under way. */
  take(ctx: Ctx, claimed: Claimed[]): void;
  held(): Claimed[];
  /** Something is under way, so that an ending is to come. */
  isBusy(): boolean;
  /** Whether to claim now: while all slots are taken and more is in hand, a large claim at intervals costs the database less than many small ones. */
  wants(): boolean;
  /** After an extension: a lease that is not among those kept is somebody else's, so its send stops. */
  noteExtended(kept: ReadonlySet<string>, until: Date): void;
  /** While the database is away leases cannot be extended; a send must not outlive its own. */
  abortLapsed(now: Date): void;
  /** Begins no more and gives back what was not begun; resolves when nothing is under way. */
  close(): Promise<unknown>;
  /**
   * After `close`: gives back what is still being prepared, which nobody has seen, and stops what the transport has. Resolves when that has ended: what no
   * server got whole is given back too.
   */
  giveBack(): Promise<unknown>;
}

export interface OutletOptions {
  livemode: boolean;
  transport: EmailTransport;
  /** What must be left of a lease when its send begins: until the next extension, and some. */
  leastMs: number;
  compose?: Compose | undefined;
  /** Of each claim once, when nothing of it is in hand any more. */
  onEnded(ended: Ended, claimed: Claimed): void;
}

interface Sending {
  claimed: Claimed;
  abort: AbortController;
  /** The transport has it. */
  isOut: boolean;
  done: Promise<void>;
}

/** Bytes of messages being sent at once; one larger message goes alone. */
const bytesAtOnce = 96 * 1024 * 1024;
/** What other projects find beyond that, where messages are kept for them. */
const bytesKept = bytesAtOnce / 2;
/** Messages being prepared at once: one is composed while others are signed in the thread pool. */
const preparedAtOnce = 4;
/** One large one is composed while the next one is read: their texts are not in memory before their turn. */
const largePreparedAtOnce = 2;

const claimEveryMs = 50;

/** Names one claim of one job. */
export function claimName({ job, lease }: { job: string; lease: string }): string {
  return `${job} ${lease}`;
}

/** Names the claim that a recipient is held under. */
export function heldName({ recipient }: Pick<Claimed, "recipient">): string {
  return claimName({ job: jobOf(recipient), lease: recipient.lease });
}

export function createOutlet({ livemode, transport, leastMs, compose, onEnded }: OutletOptions): Outlet {
  const { rounds, slots, turns } = boundsOf(transport);
  const [waiting, begun]: [Claimed[], Set<Sending>] = [[], new Set()];
  let [closing, claimedAt] = [false, Number.NEGATIVE_INFINITY];
  const end = (claimed: Claimed, ended: Ended) => {
    countLane(rounds, claimed, -1);
    onEnded(ended, claimed);
  };
  const begin = (ctx: Ctx, claimed: Claimed) => {
    const sending: Sending = { claimed, abort: new AbortController(), isOut: false, done: Promise.resolve() };
    begun.add(sending);
    slots.take(claimed);
    sending.done = sendOne(ctx, { transport, sending, turns, compose }).then(async (outcome) => {
      const ended = endedOf(claimed, outcome);
      if (livemode && outcome?.result === "accepted") await noteTaken(ctx, ended);
      if (!begun.delete(sending)) return;
      slots.free(claimed);
      end(claimed, ended);
      pump(ctx);
    });
  };
  const pump = (ctx: Ctx) => {
    for (let next = takeNext(waiting, slots); next !== undefined; next = takeNext(waiting, slots)) {
      if (next.leaseUntil.getTime() - ctx.now().getTime() < leastMs) end(next, endedOf(next, null));
      else begin(ctx, next);
    }
  };
  return {
    livemode,
    rounds,
    room: () => ({ room: roomLeft(rounds, transport.concurrency * 2), laneMax: Math.ceil(transport.concurrency * 1.5) }),
    wants: () => waiting.length === 0 || slots.isOpen() || performance.now() - claimedAt >= claimEveryMs,
    take(ctx, claimed) {
      claimedAt = performance.now();
      for (const one of claimed) countLane(rounds, one, 1);
      waiting.push(...claimed);
      if (!closing) pump(ctx);
    },
    isBusy: () => begun.size > 0,
    held: () => [...begun].map(({ claimed }) => claimed).concat(waiting),
    noteExtended: (kept, until) => noteExtended({ begun, waiting }, { kept, until }),
    abortLapsed: (now) => begun.forEach(({ claimed, abort }) => claimed.leaseUntil <= now && abort.abort()),
    close() {
      closing = true;
      for (const claimed of waiting.splice(0)) end(claimed, endedOf(claimed, null));
      return Promise.all([...begun].map(({ done }) => done));
    },
    giveBack: () => giveBack(begun, end),
  };
}

/** As many are claimed ahead as are under way, so that no slot waits for the database; of the slots, a quarter is never one lane's. */
function boundsOf({ concurrency, kept = 0 }: EmailTransport) {
  return {
    rounds: newRounds({ usual: concurrency * 2, kept: kept * 2 }),
    slots: createSlots({ concurrency, kept }),
    turns: { small: createTurns(preparedAtOnce), large: createTurns(largePreparedAtOnce) },
  };
}

/**
 * How many messages may be under way, and how many bytes of them. A slot stays taken until it is noted that a server took its message, so that what a
 * crash could have sent twice is never more than that.
 */
function createSlots({ concurrency, kept }: { concurrency: number; kept: number }) {
  const messages = createShares({ usual: concurrency, kept });
  const bytes = createShares({ usual: bytesAtOnce, kept: kept > 0 ? bytesKept : 0 });
  const change = ({ email }: Claimed, times: 1 | -1) => {
    messages.change(email.project_id, times);
    bytes.change(email.project_id, times * email.size_bytes);
  };
  return {
    /** Nothing goes before what is first while nothing is kept for others. */
    inOrder: kept === 0,
    /** One is free for a project that has none. */
    isOpen: () => messages.leftOf("") > 0,
    has: ({ email: { project_id, size_bytes } }: Claimed) =>
      messages.leftOf(project_id) > 0 && (messages.all() === 0 || bytes.leftOf(project_id) >= size_bytes),
    take: (claimed: Claimed) => change(claimed, 1),
    free: (claimed: Claimed) => change(claimed, -1),
  };
}

/** Takes the first that may begin out of those that wait; what a project cannot begin keeps its later ones waiting too, and nobody else's. */
function takeNext(waiting: Claimed[], slots: ReturnType<typeof createSlots>): Claimed | undefined {
  const blocked = new Set<string>();
  for (const [place, next] of waiting.entries()) {
    const { project_id } = next.email;
    if (blocked.has(project_id)) continue;
    if (slots.has(next)) return waiting.splice(place, 1)[0];
    if (slots.inOrder) return undefined;
    blocked.add(project_id);
  }
  return undefined;
}

/** What may still be claimed by all; once that is used up, by a project that has none in hand. */
function roomLeft({ shares }: Rounds, usual: number): number {
  return usual > shares.all() ? usual - shares.all() : shares.leftOf("");
}

function giveBack(begun: Set<Sending>, end: (claimed: Claimed, ended: Ended) => void): Promise<unknown> {
  for (const sending of [...begun].filter(({ isOut }) => !isOut)) {
    begun.delete(sending);
    sending.abort.abort();
    end(sending.claimed, endedOf(sending.claimed, null));
  }
  for (const { abort } of begun) abort.abort();
  return Promise.all([...begun].map(({ done }) => done));
}

function noteExtended(held: { begun: Set<Sending>; waiting: Claimed[] }, { kept, until }: { kept: ReadonlySet<string>; until: Date }): void {
  for (const { claimed, abort } of held.begun) {
    if (kept.has(heldName(claimed))) claimed.leaseUntil = until;
    else abort.abort();
  }
  for (const claimed of held.waiting) if (kept.has(heldName(claimed))) claimed.leaseUntil = until;
}

function countLane({ inHand, shares }: Rounds, { lane, email }: Claimed, change: 1 | -1): void {
  const count = (inHand.get(lane) ?? 0) + change;
  if (count <= 0) inHand.delete(lane);
  else inHand.set(lane, count);
  shares.change(email.project_id, change);
}

function endedOf({ email, recipient }: Claimed, outcome: SendOutcome | null): Ended {
  const { project_id, livemode, id } = email;
  return { key: { project_id, livemode, id }, recipient, lease: recipient.lease, outcome };
}

interface One {
  transport: EmailTransport;
  sending: Sending;
  turns: { small: Turns; large: Turns };
  compose: Compose | undefined;
}

/**
 * Never throws. What no try could compose has failed; what could not be composed for a fault of ours waits and is tried again, and no attempt is counted,
 * because nobody has seen it. null: its lease was lost or it was given back before a server had it.
 */
async function sendOne(ctx: Ctx, { transport, sending, turns, compose }: One): Promise<SendOutcome | null> {
  const { claimed, abort } = sending;
  const { email, recipient } = claimed;
  const provider = transport.name;
  const refuse = (diagnostic: string, subtype: BounceKind["subtype"] = "policy"): SendOutcome => {
    return { provider, result: "refused", suppress: false, bounce: { type: "permanent", subtype }, diagnostic };
  };
  try {
    // Between acceptance and sending a domain may be given up or lost.
    if (email.livemode && !(await findSender(ctx, email, email.from_address)).allowed) return refuse("The sender's domain is not verified any more.");
    const prepare = async () => {
      await untilNoted(ctx);
      if (abort.signal.aborted) return null;
      const body = claimed.body ?? (await findSendBody(ctx, email, email.id));
      return body === null ? null : parcelOf(ctx, { email, recipient, body, compose });
    };
    // A large one waits for its thread, and must not make small ones wait with it.
    const parcel = await (isLarge(email) ? turns.large : turns.small)(prepare);
    if (abort.signal.aborted) return null;
    if (parcel === null) return refuse("The texts of this message are no longer kept.");
    sending.isOut = true;
    const outcome = await transport.send(parcel, abort.signal);
    // Stopped by us before a server had all of it: no attempt of which anything could be said.
    return abort.signal.aborted && (outcome.result === "deferred" || outcome.result === "held") ? null : outcome;
  } catch (error) {
    if (error instanceof TooComplex) {
      ctx.log.warn({ err: error, email: email.id }, "a message could not be composed within what one message may take; it has failed");
      return refuse(`${error.message} Send it with simpler HTML.`, "content_too_complex");
    }
    ctx.log.error({ err: error, email: email.id }, "a message could not be prepared for sending; it will be tried again");
    return { provider, result: "held", until: nextTry(ctx, email), reason: "The message could not be prepared for sending." };
  }
}

const soonestMs = 10_000;
const latestMs = 1_800_000;

/** Soon at first, since most faults of ours pass; then ever later, in proportion to how long it has waited. */
function nextTry(ctx: Ctx, { scheduled_at, created_at }: Claimed["email"]): Date {
  const now = ctx.now().getTime();
  const waited = now - (scheduled_at ?? created_at).getTime();
  return new Date(now + Math.min(Math.max(waited / 4, soonestMs), latestMs));
}
