import { setTimeout as pause } from "node:timers/promises";

/** Another process has made the same thing meanwhile, or changed the same row of the catalogue. */
const crossed = ["23505", "42P07", "42701", "42710", "40P01", "XX000"];

/** Runs statements that make what is missing again while they cross those of another process: `if not exists` can lose a race against itself. */
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
