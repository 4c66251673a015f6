import { type Account, externalKey, type Statement, type StatementFault, type StatementRow } from "#collection/index.ts";
import { oddTimeOf } from "#orders/index.ts";
import type { Ctx, Db } from "#platform/index.ts";
import type { ReceiptInput } from "../record-receipt.ts";
import { listReceiptsOfKeys } from "./sql.ts";

/** A statement whose rows with impossible times are moved to its errors. */
export function withoutOddTimes(ctx: Pick<Ctx, "now">, statement: Statement): Statement {
  const rows: StatementRow[] = [];
  const faults: StatementFault[] = [...statement.faults];
  for (const row of statement.rows) {
    const odd = oddTimeOf(ctx, row.occurred_at);
    if (odd === null) rows.push(row);
    else faults.push({ line: row.line, code: "time_out_of_range", message: odd.message });
  }
  faults.sort((one, other) => one.line - other.line);
  return { ...statement, rows, faults };
}

/**
 * A statement whose rows with a known number but another amount are moved to its errors: one of the two is wrong, and a person must see it.
 */
export async function withoutDisputed(db: Db, account: Account, statement: Statement): Promise<Statement> {
  const keys = statement.rows.flatMap((row) => externalKey(row.external_id) ?? []);
  const known = new Map(
    (keys.length === 0 ? [] : await listReceiptsOfKeys(db, account, keys)).map((one) => [one.external_key, one.amount_minor]),
  );
  const isDisputed = (row: StatementRow) => (known.get(externalKey(row.external_id) ?? "") ?? row.amount_minor) !== row.amount_minor;
  const faults: StatementFault[] = statement.rows.filter(isDisputed).map(({ line }) => ({
    line,
    code: "amount_differs",
    message: "This transfer number is already known with a different amount. Check both in the wallet.",
  }));
  const rows = statement.rows.filter((row) => !isDisputed(row));
  return { ...statement, rows, faults: [...statement.faults, ...faults].sort((one, other) => one.line - other.line) };
}

/** A stored statement, with its times parsed. */
export function reviveStatement(stored: Statement): Statement {
  const revived = <T extends { occurred_at: Date }>(row: T): T => ({ ...row, occurred_at: new Date(row.occurred_at) });
  return { ...stored, rows: stored.rows.map(revived), refunds: stored.refunds.map(revived) };
}

export function inputOf(row: StatementRow, place: { channel: Statement["channel"]; account_ref: string | null }): ReceiptInput {
  const { external_id, amount_minor, occurred_at, payer_hint, remark, kind, state } = row;
  return { ...place, external_id, amount_minor, occurred_at, payer_hint, remark, kind, state, source: "statement" };
}
