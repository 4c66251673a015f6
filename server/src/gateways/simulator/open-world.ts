import { randomBase62 } from "#platform/index.ts";
import type { SimulatorWorld } from "./simulator.ts";

/** A world that one request at a time sees and changes: what a simulator reads stays true until it has written. */
export interface OwnWorld {
  enter<T>(work: (world: SimulatorWorld) => Promise<T>): Promise<T>;
}

/** Opens the world of a simulator that lives in this process. */
export function openWorld(given: Omit<SimulatorWorld, "token">): OwnWorld {
  const world: SimulatorWorld = { ...given, token: randomToken };
  let last: Promise<unknown> = Promise.resolve();
  return {
    enter(work) {
      const next = last.then(() => work(world));
      last = next.catch(() => {});
      return next;
    },
  };
}

/** Random characters of `0-9A-Za-z`, as many as are asked for. */
export function randomToken(length: number): string {
  return length <= 64 ? randomBase62(length) : randomBase62(64) + randomToken(length - 64);
}
