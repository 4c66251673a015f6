import type { Destination } from "#messaging/index.ts";
import type { TrunkConfig } from "./config.ts";
import { aheadMs } from "./line-request.ts";
import { reaches } from "./reaches.ts";
import type { TrunkState } from "./trunk.ts";

/** A trunk with its last reported state, if there was one. */
export interface KnownTrunk {
  config: Pick<TrunkConfig, "countries" | "channels" | "cps">;
  state: Pick<TrunkState, "fault" | "calls" | "nextTurn"> | undefined;
}

/**
 * Counts the calls that trunks could start now: the returned function takes one to a number, and returns false if there are none left.
 * Where no trunk is usable, calls don't wait: dialing says why.
 */
export function countFree(trunks: readonly KnownTrunk[], now: number): (number: Destination) => boolean {
  const usable = trunks.filter(({ state }) => (state?.fault ?? null) === null).map((trunk) => ({ ...trunk, left: callsLeft(trunk, now) }));
  return (number) => {
    const fitting = usable.filter(({ config }) => reaches(config, number));
    const free = fitting.find(({ left }) => left > 0);
    if (free !== undefined) free.left -= 1;
    return free !== undefined || fitting.length === 0;
  };
}

/** How many calls have a channel, and a turn soon enough. */
function callsLeft({ config: { channels, cps }, state }: KnownTrunk, now: number): number {
  const waitMs = Math.max(0, (state?.nextTurn ?? 0) - now);
  const turns = Math.floor(((aheadMs - waitMs) * cps) / 1_000) + 1;
  return waitMs > aheadMs ? 0 : Math.min(channels - (state?.calls ?? 0), turns);
}
