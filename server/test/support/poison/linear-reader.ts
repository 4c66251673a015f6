import type { Poison } from "./html.ts";

/** A reader of what strangers write, and the texts that it gets. */
export interface LinearWork {
  name: string;
  /**
   * Read only by regular expressions, which steps don't measure: their patterns are checked, and their time is measured in the long form.
   */
  byEngine?: true;
  poisons: Readonly<Record<string, Poison>>;
  run(text: string): unknown;
}

/** What a refusal costs counts as well; which one it is doesn't. */
export async function tried(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch {
    return null;
  }
}
