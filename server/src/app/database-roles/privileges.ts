/** What a role may be allowed to do with a table; `TRUNCATE`, `REFERENCES` and `TRIGGER` are only for the owner. */
export type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE";

const read: readonly Privilege[] = ["SELECT"];
const add: readonly Privilege[] = ["SELECT", "INSERT"];
const keep: readonly Privilege[] = ["SELECT", "INSERT", "UPDATE"];

/** What the serving role may do with an unguarded table. */
export const usualPrivileges: readonly Privilege[] = ["SELECT", "INSERT", "UPDATE", "DELETE"];

/** Tables with fewer privileges for the serving role: booked and recorded data stays unchanged, whatever the program does. */
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
  audit_anchor_lines: add,
  audit_chains: keep,
  audit_key: keep,
  schema_migrations: read,
  schema_migration_steps: [],
  schema_migration_turn: [],
};

/** Functions that run with their owner's rights and change what the serving role can't; it may call them. */
export const ownerFunctions: readonly string[] = ["roll_balances", "chain_audit_rows"];

/** What the serving role may do with a table. */
export function privilegesOn(table: string): readonly Privilege[] {
  return guardedTables[table] ?? usualPrivileges;
}
