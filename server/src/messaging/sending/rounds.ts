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
  /** In partitions whose first jobs nothing can take now: the last one that was looked at. */
  passed: Map<string, string>;
}

/** A page of one partition's jobs. */
export interface Page extends Partition {
  /** The job before it; empty for the first page. */
  behind: string;
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
/** How many jobs behind the first ones of a partition are looked at in one round, and of all partitions. */
const pageMax = 100;
const pagesMax = 1_000;
const start: Partition = { project_id: "", receiver: "" };

/** `supply`: how many may be claimed and not completed. */
export function newRounds(supply: Supply, partitions = usualPartitions): Rounds {
  return { after: start, inHand: new Map(), fairShares: createFairShares(supply), partitions, passed: new Map() };
}

interface Choosing<Candidate extends Partition> extends Room {
  rounds: Rounds;
  /** Projects to leave out. */
  barred: readonly string[];
  /** Called last, for one that would be chosen; false leaves it out, because nothing could take it now. Takes every one if absent. */
  accepts?(candidate: Candidate): boolean;
  /** Finds candidates: a first one of each partition before any second one. */
  list(scan: Scan): Promise<Candidate[]>;
  /** Needed if `accepts` can differ within a partition: finds up to `limit` jobs of each page, in order. `nameOf` identifies a job. */
  behind?: {
    list(given: { pages: readonly Page[]; limit: number }): Promise<Candidate[]>;
    nameOf(candidate: Candidate): string;
  };
}

/**
 * Chooses what to claim, partition by partition in turns: one round starting where the last one ended, wrapping around at the end. If
 * there is less room than partitions, the next round starts after the last one that got a turn. Jobs that nothing can take now don't hide
 * those behind them: each round looks at a further page of their partition, until its end, then from its start again.
 */
export async function chooseNext<Candidate extends Partition>(given: Choosing<Candidate>): Promise<Candidate[]> {
  const { rounds, room, partitionMax, barred, list, accepts = () => true } = given;
  let perPartition = 0;
  const scan = async (after: Partition) => {
    const look = { after, partitions: rounds.partitions, full: [...rounds.fairShares.full(), ...barred] };
    perPartition = Math.ceil(room / 16);
    const found = await list({ ...look, perPartition });
    // Many partitions fill the capacity with a few jobs each; with few partitions, each has to contribute more.
    const hasMore = [...Map.groupBy(found, partitionOf).values()].some((rows) => rows.length === perPartition);
    if (!hasMore || found.length >= room) return found;
    perPartition = Math.min(room, partitionMax);
    return list({ ...look, perPartition });
  };
  let found = await scan(rounds.after);
  if (found.length === 0 && rounds.after !== start) found = await scan(start);
  const refused = new Set<string>();
  const isTaken = (candidate: Candidate) => {
    const taken = accepts(candidate);
    if (!taken) refused.add(partitionOf(candidate));
    return taken;
  };
  const first = choose(found, { rounds, partitionMax, accepts: isTaken });
  const pages = choosePages(rounds, { found, refused, perPartition });
  const further = first.length < room ? await chooseBehind(given, { found, first, pages }) : [];
  const chosen = [...first, ...further];
  rounds.after = nextStart(found, chosen, rounds.partitions);
  return chosen;
}

interface Found<Candidate> {
  found: readonly Candidate[];
  refused: ReadonlySet<string>;
  perPartition: number;
}

/** The pages to look at: of partitions whose list was cut and had a job that nothing can take now. Forgets those of other partitions. */
function choosePages<Candidate extends Partition>(rounds: Rounds, { found, refused, perPartition }: Found<Candidate>): Page[] {
  const { passed } = rounds;
  const listed = Map.groupBy(found, partitionOf);
  const isAll = rounds.after === start && listed.size < rounds.partitions;
  const pages: Page[] = [];
  for (const [name, [one, ...more]] of listed)
    if (one !== undefined && refused.has(name) && more.length + 1 >= perPartition)
      pages.push({ project_id: one.project_id, receiver: one.receiver, behind: passed.get(name) ?? "" });
  const kept = new Set(pages.map(partitionOf));
  for (const name of passed.keys()) if (!kept.has(name) && (isAll || listed.has(name))) passed.delete(name);
  return pages;
}

/** Chooses from the pages, after `first`. A page stays the next one while something of it is chosen. */
async function chooseBehind<Candidate extends Partition>(
  { rounds, partitionMax, accepts = () => true, behind }: Choosing<Candidate>,
  { found, first, pages }: { found: readonly Candidate[]; first: readonly Candidate[]; pages: readonly Page[] },
): Promise<Candidate[]> {
  if (behind === undefined || pages.length === 0) return [];
  const listed = new Set(found.map(behind.nameOf));
  const limit = Math.min(pageMax, Math.ceil(pagesMax / pages.length));
  const rows = await behind.list({ pages, limit });
  const fresh = rows.filter((one) => !listed.has(behind.nameOf(one)));
  const chosen = choose(fresh, { rounds, partitionMax, accepts, before: first });
  const [contents, served] = [Map.groupBy(rows, partitionOf), new Set(chosen.map(partitionOf))];
  for (const name of pages.map(partitionOf)) {
    const content = contents.get(name) ?? [];
    const last = content.at(-1);
    if (served.has(name)) continue;
    if (last === undefined || content.length < limit) rounds.passed.delete(name);
    else rounds.passed.set(name, behind.nameOf(last));
  }
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

interface Limits<Candidate> {
  rounds: Rounds;
  partitionMax: number;
  accepts(candidate: Candidate): boolean;
  /** What is chosen already, which counts. */
  before?: readonly Candidate[];
}

/** Those whose partition and project are both below their limits. */
function choose<Candidate extends Partition>(
  found: readonly Candidate[],
  { rounds, partitionMax, accepts, before = [] }: Limits<Candidate>,
): Candidate[] {
  const { inHand, fairShares } = rounds;
  const chosen: Candidate[] = [];
  const more = new Map<string, number>();
  const count = (candidate: Candidate) => {
    const partition = partitionOf(candidate);
    more.set(partition, (more.get(partition) ?? 0) + 1);
    fairShares.change(candidate.project_id, 1);
  };
  before.forEach(count);
  for (const candidate of found) {
    const partition = partitionOf(candidate);
    const taken = (inHand.get(partition) ?? 0) + (more.get(partition) ?? 0);
    if (taken >= partitionMax || fairShares.leftOf(candidate.project_id) <= 0 || !accepts(candidate)) continue;
    count(candidate);
    chosen.push(candidate);
  }
  // Only what is actually claimed stays counted, from when the pool takes it over.
  for (const { project_id } of [...before, ...chosen]) fairShares.change(project_id, -1);
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
