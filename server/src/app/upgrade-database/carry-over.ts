import {
  type Applied,
  beginSnapshot,
  type CopySession,
  type CopyTable,
  copyTables,
  counted,
  listApplied,
  listCopyTables,
  openCopySession,
  readMigrations,
  type TableDigest,
} from "#platform/index.ts";
import { makeRoles, migrateAsOwner, usualRoles } from "../database-roles/index.ts";
import { migrationsFolder } from "../migrations.ts";
import { compareThings, compareWitnesses, readCopy, readWitness } from "./compare.ts";
import { createProgress, sum } from "./progress.ts";
import { megabytes } from "./room.ts";
import { findNextTransaction, findTextRules, listCutOffMigrations, listPresent, listThings } from "./sql.ts";
import { markStep, type Servers, type UpgradeOptions } from "./steps.ts";

/** Both databases, and the options of the upgrade. */
interface Sides {
  from: CopySession;
  to: CopySession;
  servers: Servers;
  options: UpgradeOptions;
}

const shownMax = 20;

/**
 * Copies everything of Tillpost in the old database into the new one, which gets the same schema first, and compares both. The old one
 * isn't changed. Throws a sentence if it contains something that would be lost, or if the copy isn't equal to it.
 */
export async function carryOver(servers: Servers, options: UpgradeOptions): Promise<void> {
  const from = await openCopySession(servers.old);
  const to = await openCopySession(servers.target);
  try {
    const sides = { from, to, servers, options };
    await makeSchema(sides);
    await markStep("schema made", options, servers);
    await requireNothingElse(sides);
    await copyAndCompare(sides);
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}

/** The new database gets the migrations that the old one has, and no more: migrations that move rows need the rows to be there. */
async function makeSchema({ from, to, servers }: Sides): Promise<void> {
  const [was, is] = [await findTextRules(from.db), await findTextRules(to.db)];
  if (was !== is) throw new Error(`The old database stores texts differently (${was}) than this version (${is}).`);
  const cutOff = (await listPresent(from.db, ["schema_migration_steps"])).length === 0 ? [] : await listCutOffMigrations(from.db);
  if (cutOff.length > 0)
    throw new Error(
      `Migration ${cutOff.join(", ")} was interrupted in the old database. Start the previous version once more so that it finishes, then stop it.`,
    );
  const applied = await listApplied(from.db);
  const known = new Set((await readMigrations(migrationsFolder)).map(({ number }) => number));
  const unknown = applied.filter(({ number }) => !known.has(number)).map(({ number }) => number);
  if (unknown.length > 0)
    throw new Error(
      `The old database has migration ${unknown.join(", ")}, which this version doesn't know. Use the version that migrated it, or a newer one.`,
    );
  const { ownerUrl } = await makeRoles(servers.target);
  if (applied.length === 0) return;
  await migrateAsOwner({ ownerUrl, folder: migrationsFolder, app: usualRoles.app, upTo: applied.at(-1)?.number ?? 0 });
  requireSame(applied, await listApplied(to.db));
}

function requireSame(old: readonly Applied[], target: readonly Applied[]): void {
  const checksums = new Map(old.map(({ number, checksum }) => [number, checksum]));
  // Versions that stored no checksum left null.
  const apart = target
    .filter(({ number, checksum }) => (checksums.get(number) ?? checksum) !== checksum || !checksums.has(number))
    .map(({ number }) => number);
  if (apart.length > 0)
    throw new Error(
      `Migration ${apart.join(", ")} of this version isn't what the old database has under that number. Use the version that migrated it.`,
    );
}

/** Objects that aren't Tillpost's aren't copied, which the operator must know beforehand. */
async function requireNothingElse({ from, to, options }: Sides): Promise<void> {
  const { faults, others, lacking } = compareThings(await listThings(from.db), await listThings(to.db));
  if (faults.length > 0) throw new Error(`Tables of the old database differ from what its migrations created:${listed(faults)}`);
  if (lacking.length > 0) options.say(`The old database lacks what its migrations created; the copy has it:${listed(lacking)}`);
  if (others.length === 0) return;
  if (!options.leaveOthers)
    throw new Error(
      `The old database contains objects that aren't Tillpost's, which the upgrade doesn't copy:${listed(others)}\nThey stay in the folder that is kept. To continue without them: --leave-others`,
    );
  options.say(`Not copied, because they aren't Tillpost's:${listed(others)}`);
}

/** The tables that both have. Versions differ in how they record migrations, and the copy has more of that. */
async function listShared({ from, to }: Sides): Promise<CopyTable[]> {
  const targetColumns = new Map((await listCopyTables(to.db)).map(({ name, columns }) => [name, new Set(columns)]));
  return (await listCopyTables(from.db))
    .filter(({ name }) => targetColumns.has(name))
    .map((table) => ({ ...table, columns: table.columns.filter((column) => targetColumns.get(table.name)?.has(column)) }));
}

async function copyAndCompare(sides: Sides): Promise<void> {
  const { from, to, servers, options } = sides;
  const { say, signal } = options;
  const tables = await listShared(sides);
  const before = await findNextTransaction(from.db);
  await beginSnapshot(from);
  say(`Copying ${counted(tables.length, "table")}, ${megabytes(sum(tables))}`);
  await markStep("copying", options, servers);
  const progress = createProgress(tables, say);
  const cut = signal === undefined ? {} : { signal };
  const copied = await copyTables(from, to, { tables, ...cut, onProgress: progress });
  await markStep("copied", options, servers);
  say(`Comparing ${counted(rowsOf(copied), "row")}, the ledger and the audit chains`);
  const old = await readWitness(from, copied);
  await from.script("commit");
  await beginSnapshot(to);
  const faults = compareWitnesses(old, await readCopy(to, { tables, ...cut, onProgress: createProgress(tables, say) }));
  await to.script("commit");
  if (faults.length > 0) throw new Error(`The copy differs from the old database:${listed(faults)}`);
  if ((await findNextTransaction(from.db)) !== before) throw new Error("Something wrote to the old database while it was copied.");
}

const rowsOf = (digests: readonly TableDigest[]) => digests.reduce((rows, digest) => rows + digest.rows, 0);

function listed(lines: readonly string[]): string {
  const more = lines.length > shownMax ? [`… and ${lines.length - shownMax} more`] : [];
  return [...lines.slice(0, shownMax), ...more].map((line) => `\n  ${line}`).join("");
}
