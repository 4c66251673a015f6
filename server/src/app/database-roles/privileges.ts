/** What a role may be allowed to do with a table; `TRUNCATE`, `REFERENCES` and `TRIGGER` are the owner's alone. */
export type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE";

const read: readonly Privilege[] = ["SELECT"];
const add: readonly Privilege[] = ["SELECT", "INSERT"];
const keep: readonly Privilege[] = ["SELECT", "INSERT", "UPDATE"];

/** What the role that serves may do with a table that is not guarded. */
export const usualPrivileges: readonly Privilege[] = ["SELECT", "INSERT", "UPDATE", "DELETE"];

/** Tables that the role that serves may do less with: what was booked or recorded stays as it is, whatever the program does. */
export const guardedTables: Readonly<Record<string, readonly Privilege[]>> = {
  ledger_transfers: add,
  ledger_accounts: add,
  ledger_balances: read,
  ledger_balance_tail: read,
  refunds: keep,
  disputes: keep,
  reversed_payments: add,
  audit_log: add,
  audit_anchors: add,
  audit_chains: keep,
  audit_key: keep,
  schema_migrations: read,
  schema_migration_steps: [],
  schema_migration_turn: [],
};

/** Functions that change with their owner's rights what the role that serves may not; it may call them. */
export const ownerFunctions: readonly string[] = ["roll_balances", "chain_audit_rows"];

/** What the role that serves may do with a table. */
export function privilegesOn(table: string): readonly Privilege[] {
  return guardedTables[table] ?? usualPrivileges;
}
