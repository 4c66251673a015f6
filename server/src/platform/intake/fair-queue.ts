export interface QueueEntry {
  tenant: string;
  /** Names that can't be in progress twice at the same time. */
  names: readonly string[];
  /** Its arrival, on the process's monotonic clock, in milliseconds. */
  since: number;
}

/** A queue of many tenants that take turns. */
export interface FairQueue<Entry extends QueueEntry> {
  size(): number;
  push(entry: Entry): void;
  /** Takes up to `max` entries, one from each tenant in turn, oldest first. An entry with a name in progress stays in the queue. */
  take(max: number): Entry[];
  /** Keeps a tenant's entries out of the others' groups until this time. */
  separate(tenant: string, until: number): void;
  /** Releases the names of a taken entry. */
  done(entry: Entry): void;
  /** Removes an entry that wasn't taken yet; false if it isn't in the queue. */
  remove(entry: Entry): boolean;
  /** Removes the entries that have waited since before `since`. */
  dropBefore(since: number): Entry[];
}

/** Waiting entries of one tenant, oldest first. */
interface Line<Entry> {
  tenant: string;
  waiting: Entry[];
  inProgress: number;
  /** How far the current group has searched. */
  seen: number;
}

interface State<Entry extends QueueEntry> {
  inProgressMax: number;
  /** Tenants with something waiting or in progress. */
  lines: Map<string, Line<Entry>>;
  /** Those with something waiting, next one first. */
  turns: Line<Entry>[];
  /** Tenants with their own groups, and until when. */
  separated: Map<string, number>;
  /** Names in progress. */
  busy: Set<string>;
  size: number;
}

/** `inProgressMax`: how many entries of one tenant can be in progress at once. */
export function createFairQueue<Entry extends QueueEntry>(inProgressMax = Number.POSITIVE_INFINITY): FairQueue<Entry> {
  const state: State<Entry> = { inProgressMax, lines: new Map(), turns: [], separated: new Map(), busy: new Set(), size: 0 };
  return {
    size: () => state.size,
    push(entry) {
      const line = lineOf(state, entry.tenant);
      if (line.waiting.push(entry) === 1) state.turns.push(line);
      state.size += 1;
    },
    take: (max) => take(state, max),
    separate: (tenant, until) => void state.separated.set(tenant, until),
    done({ tenant, names }) {
      for (const name of names) state.busy.delete(name);
      const line = lineOf(state, tenant);
      line.inProgress -= 1;
      if (line.inProgress === 0 && line.waiting.length === 0) state.lines.delete(tenant);
    },
    remove: (entry) => remove(state, entry),
    dropBefore: (since) => dropBefore(state, since),
  };
}

function lineOf<Entry extends QueueEntry>({ lines }: State<Entry>, tenant: string): Line<Entry> {
  let line = lines.get(tenant);
  if (line === undefined) {
    line = { tenant, waiting: [], inProgress: 0, seen: 0 };
    lines.set(tenant, line);
  }
  return line;
}

function take<Entry extends QueueEntry>(state: State<Entry>, max: number): Entry[] {
  const taken: Entry[] = [];
  const served = new Set<Line<Entry>>();
  let ring = linesOfNext(state);
  for (const line of ring) line.seen = 0;
  while (ring.length > 0) {
    const going: Line<Entry>[] = [];
    for (const line of ring) {
      const wanted = ring.length === 1 ? max : taken.length + 1;
      if (taken.length >= max || !takeFrom(state, line, { taken, wanted })) continue;
      going.push(line);
      // The tenant served last moves to the end.
      served.delete(line);
      served.add(line);
    }
    ring = going;
  }
  if (taken.length > 0)
    state.turns = [...state.turns.filter((line) => !served.has(line)), ...[...served].filter(({ waiting }) => waiting.length > 0)];
  return taken;
}

/** Takes entries of a line that can run now, until this many are taken in total; returns whether there was one. */
function takeFrom<Entry extends QueueEntry>(state: State<Entry>, line: Line<Entry>, group: { taken: Entry[]; wanted: number }): boolean {
  const before = group.taken.length;
  for (let at = findFree(state, line, line.seen); at !== -1; at = findFree(state, line, at)) {
    group.taken.push(takeAt(state, line, at));
    if (group.taken.length >= group.wanted) break;
  }
  return group.taken.length > before;
}

/** Whose entries the next group can have: those of a separated tenant, if it is its turn, or all others. */
function linesOfNext<Entry extends QueueEntry>(state: State<Entry>): Line<Entry>[] {
  const { turns, separated } = state;
  if (separated.size === 0) return turns;
  const now = performance.now();
  for (const [tenant, until] of separated) if (until < now) separated.delete(tenant);
  const next = turns.find((line) => findFree(state, line, 0) !== -1);
  if (next !== undefined && separated.has(next.tenant)) return [next];
  return turns.filter(({ tenant }) => !separated.has(tenant));
}

/** The index of a line's first entry from `from` on that can run now, or -1. */
function findFree<Entry extends QueueEntry>(
  { inProgressMax, busy }: State<Entry>,
  { waiting, inProgress }: Line<Entry>,
  from: number,
): number {
  if (inProgress >= inProgressMax) return -1;
  for (let at = from; at < waiting.length; at += 1) {
    const { names } = waiting[at] as Entry;
    if (names.length === 0 || !names.some((name) => busy.has(name))) return at;
  }
  return -1;
}

function takeAt<Entry extends QueueEntry>(state: State<Entry>, line: Line<Entry>, at: number): Entry {
  const [entry] = (at === 0 ? [line.waiting.shift()] : line.waiting.splice(at, 1)) as [Entry];
  for (const name of entry.names) state.busy.add(name);
  line.seen = at;
  line.inProgress += 1;
  state.size -= 1;
  return entry;
}

function remove<Entry extends QueueEntry>(state: State<Entry>, entry: Entry): boolean {
  const line = state.lines.get(entry.tenant);
  const at = line?.waiting.indexOf(entry) ?? -1;
  if (line === undefined || at === -1) return false;
  line.waiting.splice(at, 1);
  state.size -= 1;
  if (line.waiting.length > 0) return true;
  state.turns = state.turns.filter((other) => other !== line);
  if (line.inProgress === 0) state.lines.delete(entry.tenant);
  return true;
}

function dropBefore<Entry extends QueueEntry>(state: State<Entry>, since: number): Entry[] {
  const dropped: Entry[] = [];
  for (const line of state.turns) {
    const late = line.waiting.findIndex((entry) => entry.since >= since);
    dropped.push(...line.waiting.splice(0, late === -1 ? line.waiting.length : late));
    if (line.waiting.length === 0 && line.inProgress === 0) state.lines.delete(line.tenant);
  }
  state.turns = state.turns.filter(({ waiting }) => waiting.length > 0);
  state.size -= dropped.length;
  return dropped;
}
