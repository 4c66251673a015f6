import { defineStates } from "#platform/index.ts";

/** A poll of a provider, a callback to apply or an account to compare, as a job of its queue. `done` jobs stay done. */
export const pollStates = defineStates<"due" | "leased" | "set_aside" | "done">("question", {
  due: ["leased", "done"],
  leased: ["due", "set_aside", "done"],
  set_aside: ["due", "done"],
  done: [],
});
