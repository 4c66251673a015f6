import type { Migration, Step } from "./read-migrations.ts";
import type { Session } from "./session.ts";
import { deleteSteps, findUnfinished, insertApplied, insertSteps, updateLockTimeout, updateSteps } from "./sql.ts";
import { withLockTimeout } from "./with-lock-timeout.ts";

/** Applies a migration that is not one transaction. After each step its place is noted, so that one that was cut off goes on where it stood. */
export async function runSteps(session: Session, migration: Migration, steps: readonly Step[]): Promise<void> {
  const { number, name } = migration;
  for (let done = await insertSteps(session.db, migration); done < steps.length; done += 1) {
    await withLockTimeout(name, () => runStep(session, steps[done] as Step));
    await updateSteps(session.db, number, done + 1);
  }
  await session.transact(async () => {
    await insertApplied(session.db, migration);
    await deleteSteps(session.db, number);
  });
}

async function runStep({ db, script }: Session, { text, repeats }: Step): Promise<void> {
  const index = /\bindex\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i.exec(text)?.[1];
  // A build that was cut off leaves an index that every write keeps up and no reader uses.
  if (index !== undefined && (await findUnfinished(db, index))) await script(`drop index concurrently if exists ${index}`);
  // An index that is built beside the writers holds nobody up while it waits for their transactions.
  await updateLockTimeout(db, { timeout: index === undefined ? "2s" : "0", inTransaction: false });
  while ((await script(text)) > 0 && repeats);
}
