import type { Workers } from "#workers/index.ts";
import type { Mail } from "../../mail/index.ts";
import { within } from "./within.ts";

/** Longer than any webhook takes; a mail server that is slower still has its lease, after which the copy is retried. */
const timeoutMs = 20_000;

/**
 * Starts no more work, releases claimed work that wasn't started, and waits for work in progress, but only for a limited time, and not if
 * asked to hurry.
 */
export async function stopWork({ workers, mail }: { workers: Workers | null; mail: Mail | null }, hurry: Promise<void>): Promise<void> {
  await within(timeoutMs, Promise.race([Promise.all([workers?.stop(), mail?.stopListening()]), hurry]));
}
