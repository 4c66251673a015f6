export interface QueueEntry {
  tenant: string;
  /** What may not be under way twice at the same time. */
  names: readonly string[];
  /** When it came, on the process's monotonic clock, in milliseconds. */
  since: number;
}

/** What waits, from many tenants that take turns. */
export interface FairQueue<Entry extends QueueEntry> {
  size(): number;
  push(entry: Entry): void;
  /** Takes up to `max` entries, one from each tenant in turn, each tenant's oldest first. An entry with a name that is under way stays where it is. */
  take(max: number): Entry[];
  /** Keeps a tenant's entries out of the others' groups until then. */
  separate(tenant: string, until: number): void;
  /** Frees the names of an entry that was taken. */
  done(entry: Entry): void;
  /** Removes the entries that have waited since before `since`. */
  dropBefore(since: number): Entry[];
}

interface State<Entry extends QueueEntry> {
  underWayMax: number;
  /** What waits, by tenant; one that was served moves to the end. */
  lines: Map<string, Entry[]>;
  /** How many entries of each tenant are under way. */
  underWay: Map<string, number>;
  /** Tenants that are kept apart, and until when. */
  separated: Map<string, number>;
  /** Names that are under way. */
  busy: Set<string>;
  size: number;
}

/** `underWayMax`: how many entries of one tenant may be under way at once. */
export function createFairQueue<Entry extends QueueEntry>(underWayMax = Number.POSITIVE_INFINITY): FairQueue<Entry> {
  const state: State<Entry> = { underWayMax, lines: new Map(), underWay: new Map(), separated: new Map(), busy: new Set(), size: 0 };
  return {
    size: () => state.size,
    push(entry) {
      const line = state.lines.get(entry.tenant);
      if (line === undefined) state.lines.set(entry.tenant, [entry]);
      else line.push(entry);
      state.size += 1;
    },
    take: (max) => take(state, max),
    separate: (tenant, until) => void state.separated.set(tenant, until),
    done({ tenant, names }) {
      for (const name of names) state.busy.delete(name);
      const count = (state.underWay.get(tenant) ?? 0) - 1;
      if (count > 0) state.underWay.set(tenant, count);
      else state.underWay.delete(tenant);
    },
    dropBefore: (since) => dropBefore(state, since),
  };
}

function take<Entry extends QueueEntry>(state: State<Entry>, max: number): Entry[] {
  const taken: Entry[] = [];
  let ring = tenantsOfNext(state).map((tenant) => ({ tenant, from: 0 }));
  while (ring.length > 0 && taken.length < max) {
    const next: typeof ring = [];
    for (const { tenant, from } of ring) {
      if (taken.length === max) break;
      const at = findFree(state, tenant, from);
      if (at === -1) continue;
      taken.push(takeAt(state, tenant, at));
      next.push({ tenant, from: at });
    }
    ring = next;
  }
  return taken;
}

/** Whose entries the next group may have: one that is kept apart, when it is its turn, or all others. */
function tenantsOfNext<Entry extends QueueEntry>(state: State<Entry>): string[] {
  const { lines, separated } = state;
  if (separated.size === 0) return [...lines.keys()];
  const now = performance.now();
  for (const [tenant, until] of separated) if (until < now) separated.delete(tenant);
  const next = [...lines.keys()].find((tenant) => findFree(state, tenant, 0) !== -1);
  if (next !== undefined && separated.has(next)) return [next];
  return [...lines.keys()].filter((tenant) => !separated.has(tenant));
}

/** Where a tenant's first entry from `from` on stands that may go now, or -1. */
function findFree<Entry extends QueueEntry>({ lines, underWay, underWayMax, busy }: State<Entry>, tenant: string, from: number): number {
  const line = lines.get(tenant) ?? [];
  if ((underWay.get(tenant) ?? 0) >= underWayMax) return -1;
  for (let at = from; at < line.length; at += 1) if (line[at]?.names.every((name) => !busy.has(name)) === true) return at;
  return -1;
}

function takeAt<Entry extends QueueEntry>(state: State<Entry>, tenant: string, at: number): Entry {
  const { lines, underWay, busy } = state;
  const line = lines.get(tenant) as Entry[];
  const [entry] = line.splice(at, 1) as [Entry];
  lines.delete(tenant);
  if (line.length > 0) lines.set(tenant, line);
  for (const name of entry.names) busy.add(name);
  underWay.set(tenant, (underWay.get(tenant) ?? 0) + 1);
  state.size -= 1;
  return entry;
}

function dropBefore<Entry extends QueueEntry>(state: State<Entry>, since: number): Entry[] {
  const dropped: Entry[] = [];
  for (const [tenant, line] of [...state.lines]) {
    const late = line.findIndex((entry) => entry.since >= since);
    dropped.push(...line.splice(0, late === -1 ? line.length : late));
    if (line.length === 0) state.lines.delete(tenant);
  }
  state.size -= dropped.length;
  return dropped;
}
