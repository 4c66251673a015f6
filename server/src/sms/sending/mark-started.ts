import { createCollector, type Db, perDatabase } from "#platform/index.ts";
import { type StartedKey, updateStarted } from "./claim.sql.ts";

const waitingMax = 4_096;

const marks = perDatabase<StartedKey, boolean>((db) =>
  createCollector<StartedKey, boolean>({
    max: 64,
    concurrency: 2,
    supply: { usual: waitingMax, reserved: 0 },
    waitMs: 10_000,
    tenantOf: ({ project_id }) => project_id,
    namesOf: () => [],
    isShared: () => true,
    async run(keys) {
      const held = new Set(await updateStarted(db, keys));
      return keys.map(({ id }) => held.has(id));
    },
  }),
);

/**
 * Records that a message is about to be sent, together with others at the same moment. Only then may its first byte be sent: if this
 * process is lost afterwards, it isn't sent a second time. False: another worker has its lease by now.
 */
export function markStarted(db: Db, key: StartedKey): Promise<boolean> {
  return marks(db).add(key);
}
