import { findQuietEnds } from "#guards/index.ts";
import { listSuspendedProjects } from "#identity/index.ts";
import { type Claimed, type Claiming, chooseNext, claimName, findBarred, postpone, type Rounds } from "#messaging/index.ts";
import { atNow, type Ctx, type Tx } from "#platform/index.ts";
import { changeSms } from "../change/change-sms.ts";
import { optOutOf, smsChannel } from "../channel/sms-channel.ts";
import { errorOf } from "../error-words.ts";
import type { SmsKey } from "../rows.sql.ts";
import type { SmsRow } from "../shapes.ts";
import { type Candidate, listCandidates, listSuspects, updateClaimed } from "./claim.sql.ts";

/** A message that this worker may send now. */
export interface ClaimedSms extends Claimed {
  sms: SmsRow;
  body: string | null;
  sealed_body: string | null;
}

export const leaseMs = 45_000;

/** Claims what is due, partition by partition in turns. LIVE messages of suspended projects stay queued. */
export function claimDue(tx: Tx, ctx: Ctx, { rounds, claiming }: { rounds: Rounds; claiming: Claiming }): Promise<ClaimedSms[]> {
  const { livemode, room, partitionMax } = claiming;
  const find = (barred: string[]) =>
    chooseNext({ rounds, room, partitionMax, barred, list: (scan) => listCandidates(tx, { livemode, ...scan }) });
  return claimOf(tx, ctx, { claiming, find });
}

/** Claims one of the messages that are sent alone, if there is one and room for it. */
export function claimAlone(tx: Tx, ctx: Ctx, claiming: Claiming): Promise<ClaimedSms[]> {
  return claimOf(tx, ctx, { claiming, find: (full) => listSuspects(tx, { livemode: claiming.livemode, full }) });
}

interface Finding {
  claiming: Claiming;
  /** Finds what may be claimed, skipping the given projects. */
  find(suspended: string[]): Promise<Candidate[]>;
}

async function claimOf(tx: Tx, ctx: Ctx, { claiming, find }: Finding): Promise<ClaimedSms[]> {
  if (claiming.room <= 0) return [];
  // On this process's own clock: it is only compared with that, and was read before the database started counting.
  const leaseUntil = new Date(ctx.now().getTime() + claiming.leaseMs);
  const suspended = claiming.livemode ? await listSuspendedProjects(tx, null) : [];
  const candidates = await find(suspended);
  const awake = claiming.livemode ? await postponeQuiet(tx, ctx, candidates) : candidates;
  const open = await endOptedOut(tx, ctx, awake);
  if (open.length === 0) return [];
  const rows = await updateClaimed(tx, { candidates: open, lease: claiming.lease, durationMs: claiming.leaseMs });
  const places = new Map(open.map(({ id }, place) => [id, place]));
  rows.sort((left, right) => (places.get(left.id) ?? 0) - (places.get(right.id) ?? 0));
  return rows.map(({ body, sealed_body, ...sms }) => {
    const { project_id, livemode, lease, country, id } = sms;
    const bytes = Buffer.byteLength(body ?? sealed_body ?? "");
    return {
      project_id,
      livemode,
      receiver: country,
      name: claimName({ job: id, lease }),
      lease,
      bytes,
      leaseUntil,
      sms,
      body,
      sealed_body,
    };
  });
}

/** Postpones messages that became due in quiet hours, for example after a wait for the carrier. Returns the others. */
async function postponeQuiet(tx: Tx, ctx: Ctx, candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
  const ends = await findQuietEnds(tx, candidates);
  if (ends.size === 0) return candidates;
  const pinned = await atNow(ctx, tx);
  await changeSms(tx, pinned, {
    keys: candidates.filter(({ id }) => ends.has(id)).map(keyOf),
    change(row) {
      const end = ends.get(row.id);
      return row.state === "due" && end !== undefined ? postpone(end, { ...row, now: pinned.now() }) : null;
    },
  });
  return candidates.filter(({ id }) => !ends.has(id));
}

function keyOf({ project_id, livemode, id }: Candidate): SmsKey {
  return { project_id, livemode, id };
}

/** Ends messages whose recipient opted out between acceptance and sending. Returns the others. */
async function endOptedOut(tx: Tx, ctx: Ctx, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const requested = candidates.filter(({ is_answer }) => !is_answer);
  const named = requested.flatMap((one) => [
    { ...one, address: one.recipient },
    { ...one, address: optOutOf(one) },
  ]);
  const barred = new Set((await findBarred(tx, smsChannel, named)).map(({ id }) => id));
  if (barred.size === 0) return [...candidates];
  await changeSms(tx, ctx, {
    keys: candidates.filter(({ id }) => barred.has(id)).map(keyOf),
    change: ({ state }) => (state === "due" ? { status: "failed", state: "done", error: errorOf("opted_out") } : null),
  });
  return candidates.filter(({ id }) => !barred.has(id));
}
