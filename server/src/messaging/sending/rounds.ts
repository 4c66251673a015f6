import { createShares, type Shares, type Supply } from "#platform/index.ts";

/** What takes turns: one project's messages for one receiver, such as a domain. A slow receiver only delays its own messages. */
export interface Lane {
  project_id: string;
  receiver: string;
}

/** The position in one environment's turns, and how many jobs of each lane and project this worker holds. */
export interface Rounds {
  after: Lane;
  inHand: Map<string, number>;
  shares: Shares;
}

/** How much a process may claim now. */
export interface Room {
  /** How many in total, and by a project that holds none. */
  room: number;
  /** The most that one lane may hold, so that one slow receiver never takes every slot. */
  laneMax: number;
}

/** One look at the queue: the next lanes after `after` and some jobs of each, without the projects in `full`. */
export interface Scan {
  after: Lane;
  lanes: number;
  perLane: number;
  full: string[];
}

const lanesAtOnce = 64;
const start: Lane = { project_id: "", receiver: "" };

/** `supply`: how many may be claimed and not completed. */
export function newRounds(supply: Supply): Rounds {
  return { after: start, inHand: new Map(), shares: createShares(supply) };
}

interface Choosing<Candidate extends Lane> extends Room {
  rounds: Rounds;
  /** Projects to leave out. */
  barred: readonly string[];
  /** Finds candidates: a first one of each lane before any second one. */
  list(scan: Scan): Promise<Candidate[]>;
}

/** Chooses what to claim, lane by lane in turns: one round starting where the last one ended, wrapping around at the end. */
export async function chooseNext<Candidate extends Lane>(given: Choosing<Candidate>): Promise<Candidate[]> {
  const { rounds, room, laneMax, barred, list } = given;
  const scan = async (after: Lane) => {
    const look = { after, lanes: lanesAtOnce, full: [...rounds.shares.full(), ...barred] };
    const some = Math.ceil(room / 16);
    const found = await list({ ...look, perLane: some });
    // Many lanes fill the capacity with a few jobs each; with few lanes, each has to contribute more.
    const hasMore = [...Map.groupBy(found, laneOf).values()].some((rows) => rows.length === some);
    return hasMore && found.length < room ? list({ ...look, perLane: Math.min(room, laneMax) }) : found;
  };
  let found = await scan(rounds.after);
  if (found.length === 0 && rounds.after !== start) found = await scan(start);
  const chosen = choose(found, { rounds, laneMax });
  const lanes = new Map(found.map((one) => [laneOf(one), one]));
  const furthest = [...lanes.values()].reduce<Candidate | null>((far, one) => (far === null || laneOf(one) > laneOf(far) ? one : far), null);
  rounds.after = lanes.size < lanesAtOnce || furthest === null ? start : { project_id: furthest.project_id, receiver: furthest.receiver };
  return chosen;
}

/** Those whose lane and project are both below their limits. */
function choose<Candidate extends Lane>(found: Candidate[], { rounds, laneMax }: { rounds: Rounds; laneMax: number }): Candidate[] {
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
  // Only what is actually claimed stays counted, from when the pool takes it over.
  for (const { project_id } of chosen) shares.change(project_id, -1);
  return chosen;
}

/** A lane's name; sorts like a composite index, because all ids have the same length. */
function laneOf({ project_id, receiver }: Lane): string {
  return `${project_id} ${receiver}`;
}

/** Counts a job in its lane and project when it is taken over, and no longer when it has ended. */
export function countJob({ inHand, shares }: Rounds, lane: Lane, change: 1 | -1): void {
  const name = laneOf(lane);
  const count = (inHand.get(name) ?? 0) + change;
  if (count <= 0) inHand.delete(name);
  else inHand.set(name, count);
  shares.change(lane.project_id, change);
}

/** What all projects may still claim; once that is used up, what a project that holds none may claim. */
export function roomLeft({ shares }: Rounds, usual: number): number {
  return usual > shares.all() ? usual - shares.all() : shares.leftOf("");
}
