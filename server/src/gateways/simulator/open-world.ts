import { randomBase62 } from "#platform/index.ts";
import type { SimulatorWorld } from "./simulator.ts";

/** The environment of one request at a time: values that a simulator reads don't change until it has written. */
export interface OwnWorld {
  enter<T>(work: (world: SimulatorWorld) => Promise<T>): Promise<T>;
}

/** Opens the environment of a simulator in this process. */
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

/** Returns that many random characters of `0-9A-Za-z`. */
export function randomToken(length: number): string {
  return length <= 64 ? randomBase62(length) : randomBase62(64) + randomToken(length - 64);
}
