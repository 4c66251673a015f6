import type { Migration, Step } from "./read-migrations.ts";
import type { Session } from "./session.ts";
import { deleteSteps, findBuild, insertApplied, insertSteps, updateLockTimeout, updateSteps } from "./sql.ts";
import { withLockTimeout } from "./with-lock-timeout.ts";

/** Applies a migration that isn't one transaction. The position is stored after each step, so that an interrupted run continues there. */
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
  const index = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i.exec(text)?.[1];
  const build = index === undefined ? null : await findBuild(db, index);
  // A server finishes the index even if the connection that asked for it is gone: the step is done, although that wasn't stored.
  if (build === "finished") return;
  // An interrupted build leaves an index that every write maintains and no reader uses.
  if (build === "interrupted") await script(`drop index concurrently if exists ${index}`);
  // An index that is built concurrently delays no one while it waits for other transactions.
  const isConcurrent = /\bindex\s+concurrently\b/i.test(text);
  await updateLockTimeout(db, { timeout: isConcurrent ? "0" : "2s", inTransaction: false });
  while ((await script(text)) > 0 && repeats);
}
