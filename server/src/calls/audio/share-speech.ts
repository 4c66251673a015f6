import type { Tenant } from "#platform/index.ts";
import type { Speech } from "../speech.ts";
import { takeTurns } from "./take-turns.ts";

/**
 * The maximum of one project: a call on which keys are pressed could otherwise queue one long text after the other, and other projects'
 * calls would be silent until all are spoken.
 */
const ofOneProject = 6;

/**
 * Divides an engine that speaks only a few texts at once among projects. A text whose signal fires before its turn isn't spoken; its sound
 * is empty. Texts that needn't be spoken again don't wait.
 */
export function shareSpeech(speech: Speech): (tenant: Tenant) => Speech {
  const { atOnce } = speech;
  if (atOnce === undefined) return () => speech;
  const inTurn = takeTurns(Math.min(ofOneProject, atOnce));
  return (tenant) => ({
    ...speech,
    speak: async (text, how, signal) =>
      speech.known?.(text, how) ?? inTurn(tenant, async () => (signal?.aborted === true ? Buffer.alloc(0) : speech.speak(text, how))),
  });
}
