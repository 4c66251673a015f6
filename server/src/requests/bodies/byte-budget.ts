import { createFairShares, type Supply } from "#platform/index.ts";

/** Bytes that a project's request or response needs. */
export interface Load {
  /** Empty if the project isn't known. */
  project_id: string;
  bytes: number;
}

/** A number of bytes that can be held at once; callers that need more than is left wait in order. */
export interface ByteBudget {
  /** False if the wait was too long. Taken bytes must be released. */
  take(load: Load): Promise<boolean>;
  give(load: Load): void;
}

interface Waiting extends Load {
  timer: NodeJS.Timeout;
  answer(admitted: boolean): void;
}

/**
 * `usual` must be at least the largest possible load. With a reserve, projects share: one that holds all of `usual` only keeps its own
 * further loads waiting. Without one, no load starts before the first one, so that the largest isn't overtaken forever.
 */
export function createByteBudget({ usual, reserved, waitMs }: Supply & { waitMs: number }): ByteBudget {
  const shares = createFairShares({ usual, reserved });
  const queue: Waiting[] = [];
  // A project's first load may be larger than its share: it needs some to begin with.
  const fits = ({ project_id, bytes }: Load) =>
    shares.all() + bytes <= usual + reserved && (shares.ownOf(project_id) === 0 || bytes <= shares.leftOf(project_id));
  const rule = { fits, inOrder: reserved === 0 };
  const admit = () => {
    for (let next = takeNext(queue, rule); next !== undefined; next = takeNext(queue, rule)) {
      clearTimeout(next.timer);
      shares.change(next.project_id, next.bytes);
      next.answer(true);
    }
  };
  return {
    take(load) {
      return new Promise((answer) => {
        const waiting: Waiting = { ...load, answer, timer: setTimeout(abort, waitMs) };
        function abort(): void {
          queue.splice(queue.indexOf(waiting), 1);
          answer(false);
          admit();
        }
        queue.push(waiting);
        admit();
      });
    },
    give({ project_id, bytes }) {
      shares.change(project_id, -bytes);
      admit();
    },
  };
}

/** Takes the first waiting load that fits; those behind one of the same project that doesn't fit wait too. */
function takeNext(queue: Waiting[], { fits, inOrder }: { fits(load: Load): boolean; inOrder: boolean }): Waiting | undefined {
  const blocked = new Set<string>();
  for (const [place, next] of queue.entries()) {
    if (blocked.has(next.project_id)) continue;
    if (fits(next)) return queue.splice(place, 1)[0];
    if (inOrder) return undefined;
    blocked.add(next.project_id);
  }
  return undefined;
}
