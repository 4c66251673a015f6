import { defineStates } from "#platform/index.ts";

export type PauseStatus = "active" | "released";

/** A released pause stays released: traffic that looks like abuse again gets a pause of its own. */
export const pauseStates = defineStates<PauseStatus>("pause", {
  active: ["released"],
  released: [],
});

export const pauseStatuses = pauseStates.all;
