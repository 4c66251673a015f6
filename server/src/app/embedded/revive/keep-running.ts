import type { Logger } from "pino";
import { countRestarts } from "./count-restarts.ts";

/** A database that is to run until the program stops it. */
interface Kept {
  postmaster(): { ended: Promise<unknown> };
  isStopping(): boolean;
  /** Whether the disk has space for it to start. */
  hasRoom(): Promise<boolean>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Restarts the database whenever it ends on its own. Throws if that happens too often, or if it can't be started. */
export async function keepRunning(kept: Kept, log: Logger): Promise<void> {
  const restarts = countRestarts(() => performance.now());
  for (;;) {
    await kept.postmaster().ended;
    if (kept.isStopping()) return;
    const isTooOften = restarts.isTooOften();
    if (!(await kept.hasRoom())) restarts.forget();
    else if (isTooOften) throw new Error("the database keeps stopping unexpectedly; see postgres.log for the reasons");
    log.error("the database stopped unexpectedly; restarting it");
    await revive(kept, log);
    // It was started while the program was stopping.
    if (kept.isStopping()) return kept.stop();
  }
}

/** If the disk is full the only option is to wait: the database comes back when there is room. */
async function revive(kept: Kept, log: Logger): Promise<void> {
  for (;;) {
    try {
      return await kept.start();
    } catch (error) {
      if (kept.isStopping() || (await kept.hasRoom())) throw error;
      log.error("there is no space on the disk for the database to start; waiting for some");
    }
  }
}
