import { createFairShares, type FairShares, type Supply } from "#platform/index.ts";

/** What takes turns: one project's messages for one receiver, such as a domain. A slow receiver only delays its own messages. */
export interface Partition {
  project_id: string;
  receiver: string;
}

/** The position in one environment's turns, and how many jobs of each partition and project this worker holds. */
export interface Rounds {
  after: Partition;
  inHand: Map<string, number>;
  fairShares: FairShares;
  /** How many partitions one look at the queue lists. */
  partitions: number;
}

/** How much a process may claim now. */
export interface Room {
  /** How many in total, and by a project that holds none. */
  room: number;
  /** The most that one partition may hold, so that one slow receiver never takes every slot. */
  partitionMax: number;
}

/**
 * One look at the queue: the next partitions after `after` and some jobs of each. Projects in `full`, and partitions with nothing to claim,
 * don't count: otherwise enough of them would hide everything after them.
 */
export interface Scan {
  after: Partition;
  partitions: number;
  perPartition: number;
  full: string[];
}

const usualPartitions = 64;
const start: Partition = { project_id: "", receiver: "" };

/** `supply`: how many may be claimed and not completed. */
export function newRounds(supply: Supply, partitions = usualPartitions): Rounds {
  return { after: start, inHand: new Map(), fairShares: createFairShares(supply), partitions };
}

interface Choosing<Candidate extends Partition> extends Room {
  rounds: Rounds;
  /** Projects to leave out. */
  barred: readonly string[];
  /** Called last, for one that would be chosen; false leaves it out, because nothing could take it now. Takes every one if absent. */
  accepts?(candidate: Candidate): boolean;
  /** Finds candidates: a first one of each partition before any second one. */
  list(scan: Scan): Promise<Candidate[]>;
}

/**
 * Chooses what to claim, partition by partition in turns: one round starting where the last one ended, wrapping around at the end. If
 * there is less room than partitions, the next round starts after the last one that got a turn.
 */
export async function chooseNext<Candidate extends Partition>(given: Choosing<Candidate>): Promise<Candidate[]> {
  const { rounds, room, partitionMax, barred, list, accepts = () => true } = given;
  const scan = async (after: Partition) => {
    const look = { after, partitions: rounds.partitions, full: [...rounds.fairShares.full(), ...barred] };
    const some = Math.ceil(room / 16);
    const found = await list({ ...look, perPartition: some });
    // Many partitions fill the capacity with a few jobs each; with few partitions, each has to contribute more.
    const hasMore = [...Map.groupBy(found, partitionOf).values()].some((rows) => rows.length === some);
    return hasMore && found.length < room ? list({ ...look, perPartition: Math.min(room, partitionMax) }) : found;
  };
  let found = await scan(rounds.after);
  if (found.length === 0 && rounds.after !== start) found = await scan(start);
  const chosen = choose(found, { rounds, partitionMax, accepts });
  rounds.after = nextStart(found, chosen, rounds.partitions);
  return chosen;
}

/** Where the next round starts: after the last partition that got a turn, or after all that were found. */
function nextStart(found: readonly Partition[], chosen: readonly Partition[], most: number): Partition {
  const partitions = new Map(found.map((one) => [partitionOf(one), one]));
  const served = new Set(chosen.map(partitionOf));
  const isCut = served.size > 0 && served.size < partitions.size;
  if (!isCut && partitions.size < most) return start;
  const passed = [...(isCut ? served : partitions.keys())].sort();
  const { project_id, receiver } = partitions.get(passed.at(-1) ?? "") ?? start;
  return { project_id, receiver };
}

/** Those whose partition and project are both below their limits. */
function choose<Candidate extends Partition>(
  found: Candidate[],
  { rounds, partitionMax, accepts }: { rounds: Rounds; partitionMax: number; accepts(candidate: Candidate): boolean },
): Candidate[] {
  const { inHand, fairShares } = rounds;
  const chosen: Candidate[] = [];
  const more = new Map<string, number>();
  for (const candidate of found) {
    const partition = partitionOf(candidate);
    const taken = (inHand.get(partition) ?? 0) + (more.get(partition) ?? 0);
    if (taken >= partitionMax || fairShares.leftOf(candidate.project_id) <= 0 || !accepts(candidate)) continue;
    more.set(partition, (more.get(partition) ?? 0) + 1);
    fairShares.change(candidate.project_id, 1);
    chosen.push(candidate);
  }
  // Only what is actually claimed stays counted, from when the pool takes it over.
  for (const { project_id } of chosen) fairShares.change(project_id, -1);
  return chosen;
}

/** A partition's name; sorts like a composite index, because all ids have the same length. */
function partitionOf({ project_id, receiver }: Partition): string {
  return `${project_id} ${receiver}`;
}

/** Counts a job in its partition and project when it is taken over, and no longer when it has ended. */
export function countJob({ inHand, fairShares }: Rounds, partition: Partition, change: 1 | -1): void {
  const name = partitionOf(partition);
  const count = (inHand.get(name) ?? 0) + change;
  if (count <= 0) inHand.delete(name);
  else inHand.set(name, count);
  fairShares.change(partition.project_id, change);
}

/** What all projects may still claim; once that is used up, what a project that holds none may claim. */
export function roomLeft({ fairShares }: Rounds, usual: number): number {
  return usual > fairShares.all() ? usual - fairShares.all() : fairShares.leftOf("");
}
