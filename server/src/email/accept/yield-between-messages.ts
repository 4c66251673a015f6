import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { charactersIn } from "#platform/index.ts";
import type { EmailInput } from "../shapes.ts";

/**
 * How many characters are checked, written as JSON or sent to the database in one turn of the event loop. More would delay all other
 * requests.
 */
export const charactersPerTurn = 1_000_000;

/** Waits for the next turn of the event loop after each `charactersPerTurn` characters of messages: a batch may have thirty million. */
export function createYielder(): (email: Pick<EmailInput, "html" | "text">) => Promise<void> {
  let characters = 0;
  return async ({ html, text }) => {
    characters += charactersIn(html ?? "") + charactersIn(text ?? "");
    if (characters < charactersPerTurn) return;
    characters = 0;
    await yieldToEventLoop();
  };
}
