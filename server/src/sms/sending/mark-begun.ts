import { createCollector, type Db, perDatabase } from "#platform/index.ts";
import { type BegunKey, updateBegun } from "./claim.sql.ts";

const waitingMax = 4_096;

const marks = perDatabase<BegunKey, boolean>((db) =>
  createCollector<BegunKey, boolean>({
    max: 64,
    concurrency: 2,
    supply: { usual: waitingMax, reserved: 0 },
    waitMs: 10_000,
    tenantOf: ({ project_id }) => project_id,
    namesOf: () => [],
    isShared: () => true,
    async run(keys) {
      const held = new Set(await updateBegun(db, keys));
      return keys.map(({ id }) => held.has(id));
    },
  }),
);

/**
 * Records that a message is about to be sent, together with others at the same moment. Only then may its first byte be sent: if this process is lost
 * afterwards, it isn't sent a second time. False: another worker has its lease by now.
 */
export function markBegun(db: Db, key: BegunKey): Promise<boolean> {
  return marks(db).add(key);
}
