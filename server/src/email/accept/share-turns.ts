import { setImmediate as nextTurn } from "node:timers/promises";
import { charactersIn } from "#platform/index.ts";
import type { EmailInput } from "../shapes.ts";

/** How much is checked, written as JSON or sent to the database in one turn of the event loop. More would delay all other requests. */
export const charactersATurn = 1_000_000;

/** Waits for the next turn after each so many characters of messages: a batch may hold thirty million. */
export function shareTurns(): (email: Pick<EmailInput, "html" | "text">) => Promise<void> {
  let characters = 0;
  return async ({ html, text }) => {
    characters += charactersIn(html ?? "") + charactersIn(text ?? "");
    if (characters < charactersATurn) return;
    characters = 0;
    await nextTurn();
  };
}
