import { listSuspendedProjects } from "#identity/index.ts";
import { type Ctx, createShares, pipeline, type Shares, type Supply, type Tx } from "#platform/index.ts";
import { findBarred } from "../../suppression/find-suppressed.ts";
import { endExpired } from "../change/end-expired.ts";
import { endSuppressed } from "../change/end-suppressed.ts";
import type { EmailKey } from "../rows.sql.ts";
import type { EmailRow, SendBody } from "../shapes.ts";
import { readBody } from "../stored-body.ts";
import { type Candidate, type ClaimedRecipient, type Lane, listCandidates, listSuspects, lockFreeEmails, updateClaimed, updateSending } from "./claim.sql.ts";

/** A recipient that this worker may send to now. */
export interface Claimed {
  email: EmailRow;
  recipient: ClaimedRecipient;
  /** null: too large to wait in memory, read when its turn comes. */
  body: SendBody | null;
  lane: string;
  /** By the clock of this process. */
  leaseUntil: Date;
}

/** Where the rounds stand, one for each environment, and how much of each lane and project is in this worker's hands. */
export interface Rounds {
  after: Lane;
  inHand: Map<string, number>;
  shares: Shares;
}

export const leaseMs = 45_000;
const lanesAtOnce = 64;
const bodyBytesMax = 32 * 1024;
const start: Lane = { project_id: "", domain: "" };

/** `supply`: how many may be claimed and not ended. */
export function newRounds(supply: Supply): Rounds {
  return { after: start, inHand: new Map(), shares: createShares(supply) };
}

interface Claiming {
  livemode: boolean;
  /** How many may be claimed at all, and by a project that has none in hand. */
  room: number;
  /** Most that one lane may have in hand, so that one slow receiver never takes every slot. */
  laneMax: number;
  lease: string;
  leaseMs: number;
}

/** Claims what is due, lane by lane in turns. LIVE mail of who may not send now stays where it is. */
export function claimDue(tx: Tx, ctx: Ctx, given: { rounds: Rounds; claiming: Claiming }): Promise<Claimed[]> {
  return claimOf(tx, ctx, { ...given, find: (suspended) => nextCandidates(tx, { ...given, suspended }) });
}

/** Claims one recipient of those that go alone, if there is any and the room for it. */
export function claimAlone(tx: Tx, ctx: Ctx, { claiming }: { claiming: Claiming }): Promise<Claimed[]> {
  return claimOf(tx, ctx, { claiming, find: (full) => listSuspects(tx, { livemode: claiming.livemode, full }) });
}

interface Finding {
  claiming: Claiming;
  /** Finds what may be claimed, passing over projects. */
  find(suspended: string[]): Promise<Candidate[]>;
}

async function claimOf(tx: Tx, ctx: Ctx, { claiming, find }: Finding): Promise<Claimed[]> {
  if (claiming.room <= 0) return [];
  // By this process's own clock: it is compared with that alone, and was read before the database began to count.
  const leaseUntil = new Date(ctx.now().getTime() + claiming.leaseMs);
  const suspended = claiming.livemode ? await listSuspendedProjects(tx, null) : [];
  const candidates = await find(suspended);
  if (candidates.length === 0) return [];
  const emails = new Map((await lockFreeEmails(tx, keysOf(candidates))).map((email) => [nameOf(email), email]));
  const free = candidates.filter((one) => emails.has(nameOf({ ...one, id: one.email_id })));
  const [over, open] = [free.filter((one) => one.expired), free.filter((one) => !one.expired)];
  const barred = new Set(await findBarred(tx, open));
  const held = open.filter((one) => !barred.has(one));
  await endExpired(tx, ctx, keysOf(over));
  await endSuppressed(tx, ctx, [...barred]);
  if (held.length === 0) return [];
  const [rows] = await pipeline(tx, (pipe) => [
    updateClaimed(pipe, { candidates: held, lease: claiming.lease, forMs: claiming.leaseMs, bodyBytesMax }),
    updateSending(pipe, keysOf(held)),
  ]);
  const places = new Map(held.map((one, place) => [`${one.email_id} ${one.position}`, place]));
  const placeOf = (row: { email_id: string; position: number }) => places.get(`${row.email_id} ${row.position}`) ?? 0;
  rows.sort((left, right) => placeOf(left) - placeOf(right));
  return rows.map((recipient) => {
    const email = emails.get(nameOf({ ...recipient, id: recipient.email_id })) as EmailRow;
    return {
      email,
      recipient,
      body: recipient.body === null ? null : readBody(ctx.masterKeys, recipient.email_id, recipient.body),
      lane: laneOf(recipient),
      leaseUntil,
    };
  });
}

/** One round through the lanes, from where the last one ended; at the end it begins again. */
async function nextCandidates(tx: Tx, given: { rounds: Rounds; claiming: Claiming; suspended: string[] }): Promise<Candidate[]> {
  const { rounds, claiming, suspended } = given;
  const { livemode, room, laneMax } = claiming;
  const scan = async (after: Lane) => {
    const given = { livemode, after, lanes: lanesAtOnce, full: [...rounds.shares.full(), ...suspended] };
    const some = Math.ceil(room / 16);
    const found = await listCandidates(tx, { ...given, perLane: some });
    // Many lanes fill the room with a few each; where there are few lanes, each has to give more.
    const hasMore = [...Map.groupBy(found, laneOf).values()].some((rows) => rows.length === some);
    return hasMore && found.length < room ? listCandidates(tx, { ...given, perLane: Math.min(room, laneMax) }) : found;
  };
  let found = await scan(rounds.after);
  if (found.length === 0 && rounds.after !== start) found = await scan(start);
  const chosen = choose(found, { rounds, laneMax });
  const lanes = new Map(found.map((one) => [laneOf(one), one]));
  const furthest = [...lanes.values()].reduce<Candidate | null>((far, one) => (far === null || laneOf(one) > laneOf(far) ? one : far), null);
  rounds.after = lanes.size < lanesAtOnce || furthest === null ? start : { project_id: furthest.project_id, domain: furthest.domain };
  return chosen;
}

/** Those that neither their lane nor their project has too much in hand for. */
function choose(found: Candidate[], { rounds, laneMax }: { rounds: Rounds; laneMax: number }): Candidate[] {
  const { inHand, shares } = rounds;
  const chosen: Candidate[] = [];
  const more = new Map<string, number>();
  for (const candidate of found) {
    const lane = laneOf(candidate);
    const taken = (inHand.get(lane) ?? 0) + (more.get(lane) ?? 0);
    if (taken >= laneMax || shares.leftOf(candidate.project_id) <= 0) continue;
    more.set(lane, (more.get(lane) ?? 0) + 1);
    shares.change(candidate.project_id, 1);
    chosen.push(candidate);
  }
  // Only what is really claimed stays counted, from when it is taken over.
  for (const { project_id } of chosen) shares.change(project_id, -1);
  return chosen;
}

/** A lane's name; sorts as the index does, because ids all have one length. */
function laneOf(row: { project_id: string; domain: string }): string {
  return `${row.project_id} ${row.domain}`;
}

function keysOf(candidates: Candidate[]): EmailKey[] {
  const keys = candidates.map(({ project_id, livemode, email_id }) => ({ project_id, livemode, id: email_id }));
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()];
}

function nameOf({ project_id, livemode, id }: EmailKey): string {
  return `${project_id} ${livemode} ${id}`;
}
