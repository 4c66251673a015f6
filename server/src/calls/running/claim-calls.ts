import { findQuietEnds, listCallsAtOnce } from "#guards/index.ts";
import { listSuspendedProjects } from "#identity/index.ts";
import {
  type Claimed,
  type Claiming,
  chooseNext,
  claimName,
  type Destination,
  findBarred,
  postpone,
  type Rounds,
  type Scan,
} from "#messaging/index.ts";
import { atNow, type Ctx, type Tx } from "#platform/index.ts";
import { changeCalls } from "../change/change-calls.ts";
import { callFault } from "../change/faults.ts";
import { callChannel } from "../channel/call-channel.ts";
import type { CallKey, CallRow } from "../shapes.ts";
import {
  type Candidate,
  listBehind,
  listCandidates,
  listInProgress,
  listSuspects,
  lockTurns,
  type Pages,
  updateClaimed,
} from "./claim.sql.ts";

/** A call that this worker may place now. */
export interface ClaimedCall extends Claimed {
  call: CallRow;
}

export const leaseMs = 45_000;
/** Memory for its row; audio is created during the call. */
const bytesOfCall = 16 * 1024;

/**
 * Claims due calls, partition by partition in turns. Calls of projects that can't call now, or have reached their limit of concurrent
 * calls, are skipped, and so are those that no line is free for: others of their partition may have one.
 */
export function claimCalls(
  tx: Tx,
  ctx: Ctx,
  { rounds, claiming, takeFree = () => true }: { rounds: Rounds; claiming: Claiming; takeFree?: (number: Destination) => boolean },
): Promise<ClaimedCall[]> {
  const { livemode, room, partitionMax } = claiming;
  const accepts = ({ address, receiver }: Candidate) => takeFree({ to: address, country: receiver });
  const list = (scan: Scan) => listCandidates(tx, { livemode, ...scan });
  // Calls to one country can have different transports.
  const behind = { list: (given: Pages) => listBehind(tx, { livemode, ...given }), nameOf: ({ id }: Candidate) => id };
  const find = (barred: string[]) => chooseNext({ rounds, room, partitionMax, barred, accepts, list, behind });
  return claimOf(tx, ctx, { claiming, find });
}

/** Claims one of the calls that are placed alone, if there is one and room for it. */
export function claimCallAlone(tx: Tx, ctx: Ctx, claiming: Claiming): Promise<ClaimedCall[]> {
  return claimOf(tx, ctx, { claiming, find: (full) => listSuspects(tx, { livemode: claiming.livemode, full }) });
}

interface Finding {
  claiming: Claiming;
  /** Finds what may be claimed, skipping the given projects. */
  find(barred: string[]): Promise<Candidate[]>;
}

async function claimOf(tx: Tx, ctx: Ctx, { claiming, find }: Finding): Promise<ClaimedCall[]> {
  const { livemode, lease, room } = claiming;
  if (room <= 0) return [];
  // On this process's own clock: it is only compared with that, and was read before the database started counting.
  const leaseUntil = new Date(ctx.now().getTime() + claiming.leaseMs);
  const suspended = livemode ? await listSuspendedProjects(tx, null) : [];
  const full = await listFull(tx, ctx, livemode);
  const found = await find([...suspended, ...full]);
  const candidates = livemode ? await postponeQuiet(tx, ctx, found) : found;
  const free = await withinTurns(tx, ctx, { livemode, candidates });
  if (free.length === 0) return [];
  const barred = new Set(await findBarred(tx, callChannel, free));
  await endUnplaced(tx, ctx, { expired: free.filter((one) => one.expired), barred: [...barred].filter((one) => !one.expired) });
  const open = free.filter((one) => !one.expired && !barred.has(one)).slice(0, room);
  if (open.length === 0) return [];
  const calls = await updateClaimed(tx, { candidates: open, lease, durationMs: claiming.leaseMs });
  const places = new Map(open.map(({ id }, place) => [id, place]));
  calls.sort((left, right) => (places.get(left.id) ?? 0) - (places.get(right.id) ?? 0));
  return calls.map((call) => ({
    project_id: call.project_id,
    livemode: call.livemode,
    receiver: call.country,
    name: claimName({ job: call.id, lease }),
    lease,
    bytes: bytesOfCall,
    leaseUntil,
    call,
  }));
}

/** Returns each project's limit of concurrent calls: in LIVE, from its caps. */
async function callsAtOnce(
  tx: Tx,
  ctx: Ctx,
  { livemode, projects }: { livemode: boolean; projects: readonly string[] },
): Promise<(project: string) => number> {
  if (!livemode || projects.length === 0) return () => ctx.calls.atOnce;
  const most = await listCallsAtOnce(tx, ctx, projects);
  return (project) => most.get(project) ?? ctx.calls.atOnce;
}

/** Projects that have reached their limit of concurrent calls. */
async function listFull(tx: Tx, ctx: Ctx, livemode: boolean): Promise<string[]> {
  const inProgress = await listInProgress(tx, { livemode, projects: null });
  const most = await callsAtOnce(tx, ctx, { livemode, projects: inProgress.map(({ project_id }) => project_id) });
  return inProgress.filter(({ project_id, total }) => total >= most(project_id)).map(({ project_id }) => project_id);
}

/** Limits candidates to what each project's concurrent calls still allow, counted while no other process can claim for it. */
async function withinTurns(
  tx: Tx,
  ctx: Ctx,
  { livemode, candidates }: { livemode: boolean; candidates: Candidate[] },
): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const projects = await lockTurns(tx, { livemode, projects: [...new Set(candidates.map((one) => one.project_id))] });
  const inProgress = new Map((await listInProgress(tx, { livemode, projects })).map(({ project_id, total }) => [project_id, total]));
  const most = await callsAtOnce(tx, ctx, { livemode, projects });
  const left = new Map(projects.map((project) => [project, most(project) - (inProgress.get(project) ?? 0)]));
  return candidates.filter(({ project_id }) => {
    const some = left.get(project_id) ?? 0;
    left.set(project_id, some - 1);
    return some > 0;
  });
}

/** Postpones calls that became due in quiet hours, for example after a wait for a free line. Returns the others. */
async function postponeQuiet(tx: Tx, ctx: Ctx, candidates: Candidate[]): Promise<Candidate[]> {
  const ends = await findQuietEnds(
    tx,
    candidates.filter(({ expired }) => !expired),
  );
  if (ends.size === 0) return candidates;
  const pinned = await atNow(ctx, tx);
  await changeCalls(tx, pinned, {
    keys: candidates.filter(({ id }) => ends.has(id)).map(keyOf),
    change(call) {
      const end = ends.get(call.id);
      return call.state === "due" && end !== undefined ? { to: postpone(end, { ...call, now: pinned.now() }) } : null;
    },
  });
  return candidates.filter(({ id }) => !ends.has(id));
}

/** Ends calls that expired before their turn, or whose number was suppressed in the meantime. */
async function endUnplaced(tx: Tx, ctx: Ctx, { expired, barred }: { expired: Candidate[]; barred: Candidate[] }): Promise<void> {
  if (expired.length + barred.length === 0) return;
  const pinned = await atNow(ctx, tx);
  const end = (candidates: Candidate[], code: Parameters<typeof callFault>[0]) =>
    changeCalls(tx, pinned, {
      keys: candidates.map(keyOf),
      change: ({ state }) => (state === "due" ? { to: { status: "failed", ended_at: pinned.now(), error: callFault(code) } } : null),
    });
  await end(expired, "expired");
  await end(barred, "recipient_opted_out");
}

function keyOf({ project_id, livemode, id }: Candidate): CallKey {
  return { project_id, livemode, id };
}
