import type { Tenant } from "#platform/index.ts";
import type { Speech } from "../speech.ts";
import { takeTurns } from "./take-turns.ts";

/**
 * The maximum of one project: a call on which keys are pressed could otherwise queue one long text after the other, and other projects'
 * calls would be silent until all are spoken.
 */
const ofOneProject = 6;

/** Divides an engine among projects. A text whose signal fires before its turn isn't spoken; its sound is empty. */
export function shareSpeech(speech: Speech): (tenant: Tenant) => Speech {
  const inTurn = takeTurns(Math.min(ofOneProject, speech.atOnce ?? ofOneProject));
  return (tenant) => ({
    ...speech,
    speak: (text, how, signal) => inTurn(tenant, async () => (signal?.aborted === true ? Buffer.alloc(0) : speech.speak(text, how))),
  });
}
