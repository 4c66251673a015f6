import type { CallStep } from "../shapes.ts";
import type { Done } from "./conduct.ts";

/** Limits of a call's stored steps: an address that returns the same actions for hours must not make a row of hundreds of megabytes. */
export const stepLimits = { most: 500, characters: 50_000 };

/** Creates the function that records a call's steps, up to the limit. */
export function noteStep(steps: CallStep[], now: () => Date): (step: Done) => void {
  let characters = 0;
  return (step) => {
    characters += (step.text?.length ?? 0) + (step.url?.length ?? 0);
    if (steps.length < stepLimits.most && characters <= stepLimits.characters) steps.push({ at: now().toISOString(), ...step });
  };
}
