import type { Migration } from "./read-migrations.ts";
import type { Applied } from "./sql.ts";

const replace = "Use the version that migrated the database, or a newer one.";

/**
 * The `migrations` that the database doesn't have. Throws if the program is too old for the database, an applied file changed, or a new one
 * comes too late.
 */
export function listPending(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  assertProgram(migrations, applied);
  assertApplicable(migrations, applied);
  const numbers = new Set(applied.map(({ number }) => number));
  return migrations.filter(({ number }) => !numbers.has(number));
}

/**
 * Throws if an applied migration only allows newer programs. A program's version is the highest migration it knows; a newer schema by
 * itself doesn't matter, so that versions can run side by side while they are replaced.
 */
function assertProgram(migrations: readonly Pick<Migration, "number">[], applied: readonly Applied[]): void {
  const level = Math.max(0, ...migrations.map(({ number }) => number));
  const least = Math.max(0, ...applied.map(({ min_program }) => min_program));
  if (level < least)
    throw new Error(`This version knows migrations up to ${level}, but the database needs a version that knows ${least}. ${replace}`);
}

/** Throws if an applied file has changed, or a new one has a number below the highest applied. */
function assertApplicable(migrations: readonly Migration[], applied: readonly Applied[]): void {
  const byNumber = new Map(applied.map((one) => [one.number, one]));
  const changed = migrations
    .filter(({ number, checksum }) => (byNumber.get(number)?.checksum ?? checksum) !== checksum)
    .map(({ name }) => name);
  if (changed.length > 0)
    throw new Error(
      `${changed.join(", ")} changed after the database applied it. Restore the file; a change to the schema is a new migration.`,
    );
  const highest = Math.max(0, ...byNumber.keys());
  const late = migrations.filter(({ number }) => number < highest && !byNumber.has(number)).map(({ name }) => name);
  if (late.length > 0)
    throw new Error(`${late.join(", ")} has a number below ${highest}, which the database already has. Give it the next free number.`);
}
