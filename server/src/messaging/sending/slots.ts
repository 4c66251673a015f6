import { createFairShares } from "#platform/index.ts";

/** The limits of concurrent work. */
export interface Capacity {
  /** How many jobs. */
  readonly concurrency: number;
  /**
   * How many more, for projects whose jobs would otherwise wait behind another's slow receivers. If absent, taking turns is fair enough.
   */
  readonly reserved?: number;
  /**
   * How many are claimed ahead, so that no slot waits for the database; by default as many as are in progress. None if a job can last for
   * hours and another process could start it now.
   */
  readonly ahead?: number;
}

/** A job's resources while it is in progress. */
interface Load {
  project_id: string;
  bytes: number;
}

/** Concurrent bytes; a larger job runs alone. */
const bytesAtOnce = 96 * 1024 * 1024;
/** Additional bytes for other projects, if slots are reserved for them. */
const bytesReserved = bytesAtOnce / 2;

export type Slots = ReturnType<typeof createSlots>;

/** How many jobs, and how many bytes of them, can be in progress. */
export function createSlots({ concurrency, reserved = 0 }: Capacity) {
  const jobs = createFairShares({ usual: concurrency, reserved });
  const bytes = createFairShares({ usual: bytesAtOnce, reserved: reserved > 0 ? bytesReserved : 0 });
  const change = (load: Load, times: 1 | -1) => {
    jobs.change(load.project_id, times);
    bytes.change(load.project_id, times * load.bytes);
  };
  return {
    /** Without reserved slots, no job starts before the first one. */
    inOrder: reserved === 0,
    /** One slot is free for a project without jobs in progress. */
    isOpen: () => jobs.leftOf("") > 0,
    has: (load: Load) => jobs.leftOf(load.project_id) > 0 && (jobs.all() === 0 || bytes.leftOf(load.project_id) >= load.bytes),
    take: (load: Load) => change(load, 1),
    free: (load: Load) => change(load, -1),
  };
}

/** Takes the first waiting job that can start; if a project can't start one, its later ones wait too, but not those of others. */
export function takeNext<Job extends Load>(waiting: Job[], slots: Slots): Job | undefined {
  const blocked = new Set<string>();
  for (const [place, next] of waiting.entries()) {
    if (blocked.has(next.project_id)) continue;
    if (slots.has(next)) return waiting.splice(place, 1)[0];
    if (slots.inOrder) return undefined;
    blocked.add(next.project_id);
  }
  return undefined;
}
