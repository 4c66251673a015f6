import type { CallStep } from "../shapes.ts";
import type { Done } from "./conduct.ts";

/** What is kept of a call's steps: an address that answers the same for hours must not make a row of hundreds of megabytes. */
export const stepsKept = { most: 500, characters: 50_000 };

/** Makes what notes the steps of a call, until enough are kept. */
export function noteStep(steps: CallStep[], now: () => Date): (step: Done) => void {
  let characters = 0;
  return (step) => {
    characters += (step.text?.length ?? 0) + (step.url?.length ?? 0);
    if (steps.length < stepsKept.most && characters <= stepsKept.characters) steps.push({ at: now().toISOString(), ...step });
  };
}
