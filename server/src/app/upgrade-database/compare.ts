import { type CopyOptions, type CopySession, counted, digestTables, type TableDigest } from "#platform/index.ts";
import { type AccountSum, type ChainHead, listAccountSums, listChainHeads, listPresent, type Thing } from "./sql.ts";

/** What a copy must have in common with its original. */
export interface Witness {
  tables: readonly TableDigest[];
  sums: readonly AccountSum[];
  heads: readonly ChainHead[];
}

/** Reads the tables' contents, the ledger's sums and the ends of the audit chains. `tables` are digests that are known already. */
export async function readWitness(session: CopySession, tables: readonly TableDigest[]): Promise<Witness> {
  const present = await listPresent(session.db, ["ledger_transfers", "audit_chains"]);
  return {
    tables,
    sums: present.includes("ledger_transfers") ? await listAccountSums(session.db) : [],
    heads: present.includes("audit_chains") ? await listChainHeads(session.db) : [],
  };
}

/** The same, with every table read again. */
export async function readCopy(session: CopySession, options: CopyOptions): Promise<Witness> {
  return readWitness(session, await digestTables(session, options));
}

/** A sentence for each table, account and chain that differs. */
export function compareWitnesses(old: Witness, copy: Witness): string[] {
  return [
    ...differences(old.tables, copy.tables, ({ table }) => table).map(([name, before, after]) => {
      const [was, is] = [before?.rows ?? 0, after?.rows ?? 0];
      return was === is
        ? `${name}: the same number of rows, but not the same rows`
        : `${name}: ${counted(was, "row")} in the old database, ${is} in the copy`;
    }),
    ...differences(old.sums, copy.sums, ({ account }) => account).map(
      ([name, before, after]) => `account ${name}: ${before?.sum ?? "nothing"} in the old database, ${after?.sum ?? "nothing"} in the copy`,
    ),
    ...differences(old.heads, copy.heads, ({ merchant }) => merchant).map(
      ([name]) => `audit chain of ${name}: a different end than in the old database`,
    ),
  ];
}

type Difference<One> = [name: string, before: One | undefined, after: One | undefined];

function differences<One>(before: readonly One[], after: readonly One[], nameOf: (one: One) => string): Difference<One>[] {
  const byName = (list: readonly One[]) => new Map(list.map((one) => [nameOf(one), one]));
  const [was, is] = [byName(before), byName(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name): Difference<One> => [name, was.get(name), is.get(name)])
    .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other));
}

/** How the old database's schema differs from one that this version creates. */
export interface ThingsApart {
  /** Tables that can't be copied as they are. */
  faults: string[];
  /** Objects that someone else created. */
  others: string[];
  /** What the old one lacks and the copy has. */
  lacking: string[];
}

export function compareThings(old: readonly Thing[], target: readonly Thing[]): ThingsApart {
  const apart: ThingsApart = { faults: [], others: [], lacking: [] };
  for (const [thing, before, after] of differences(old, target, (one) => one.thing)) {
    const isTable = /^(partitioned )?table /.test(thing);
    if (after === undefined) apart.others.push(thing);
    else if (before !== undefined && isTable) apart.faults.push(`${thing} has different columns: ${before.shape}`);
    else if (isTable) apart.faults.push(`${thing} is missing`);
    // Versions before there were two roles created neither of them.
    else if (!thing.startsWith("role ")) apart.lacking.push(thing);
  }
  return apart;
}
