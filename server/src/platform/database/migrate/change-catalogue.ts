import { setTimeout as pause } from "node:timers/promises";

/** Another process has created the same object in the meantime, or changed the same catalog row. */
const crossed = ["23505", "42P07", "42701", "42710", "40P01", "XX000"];

/**
 * Retries statements that create missing objects when they collide with another process: `if not exists` can lose a race against itself.
 */
export async function changeCatalogue(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!crossed.includes((error as { code?: string }).code ?? "") || attempt === 20) throw error;
      await pause(100);
    }
  }
}
