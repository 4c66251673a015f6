import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { auditChain, chainAudit } from "#audit/index.ts";
import { auditLedger, rollBalances } from "#ledger/index.ts";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { guardedTables, ownerFunctions } from "./privileges.ts";
import { listHeld, listUncallable } from "./sql.ts";

const app = await testApp();
const { ctx } = app;
const superuser = new pg.Client(app.superuserUrl);
await superuser.connect();
afterAll(() => superuser.end());
const shop = await app.tenant();
await pay();
await superuser.query("create schema elsewhere; create table elsewhere.secrets (id int)");

async function pay(): Promise<void> {
  const { order } = await createOrder(ctx, shop, { amount_minor: 500, currency: "CNY" });
  await simulatePayment(ctx, shop, { order_id: order.id });
}

test("the role that serves has exactly the listed privileges on each table", async () => {
  const [add, keep] = [
    ["SELECT", "INSERT"],
    ["SELECT", "INSERT", "UPDATE"],
  ];
  const held = Object.fromEntries((await listHeld(ctx.db)).map(({ table, privileges }) => [table, privileges]));
  const { rows } = await superuser.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  expect(rows.length).toBeGreaterThan(50);
  const others = rows.filter(({ name }) => !(name in guardedTables)).map(({ name }) => [name, [...keep, "DELETE"]]);
  expect(held).toEqual({
    ...Object.fromEntries(others),
    ledger_transfers: add,
    ledger_accounts: add,
    ledger_balances: ["SELECT"],
    ledger_balance_tail: ["SELECT"],
    audit_log: add,
    audit_anchors: add,
    audit_anchor_lines: add,
    audit_chains: keep,
    audit_key: keep,
    refunds: keep,
    disputes: keep,
    reversed_payments: add,
    schema_migrations: ["SELECT"],
    schema_migration_steps: [],
    schema_migration_turn: [],
  });
  expect(await listUncallable(ctx.db, ownerFunctions)).toEqual([]);
});

/** What the role that serves is refused, and what would let it through. */
interface Attempt {
  statement: string;
  broken: string;
}

const changes: Attempt[] = [
  ["ledger_transfers", "description = 'other'"],
  ["ledger_accounts", "created_at = now()"],
  ["ledger_balances", "balance_minor = 0"],
  ["ledger_balance_tail", "delta_minor = 0"],
  ["audit_log", "action = 'other'"],
  ["audit_anchors", "root = 'other'"],
  ["schema_migrations", "min_program = 0"],
].flatMap(([table, change]) => [
  { statement: `update ${table} set ${change}`, broken: `grant update on ${table} to tillpost_app` },
  { statement: `delete from ${table}`, broken: `grant delete on ${table} to tillpost_app` },
]);

const emptied: Attempt[] = ["ledger_transfers", "audit_log", "audit_chains", "orders"].map((table) => ({
  statement: `truncate ${table} cascade`,
  broken: `grant truncate on all tables in schema public to tillpost_app`,
}));

const owned: Attempt[] = ["ledger_transfers", "audit_log"].flatMap((table) =>
  [
    `drop table ${table}`,
    `alter table ${table} add column other text`,
    `alter table ${table} disable trigger ${table}_append_only`,
    `drop trigger ${table}_append_only on ${table}`,
    `alter table ${table} owner to tillpost_app`,
  ].map((statement) => ({
    statement,
    broken: `grant create on schema public to tillpost_app; alter table ${table} owner to tillpost_app`,
  })),
);

const others: Attempt[] = [
  {
    statement: "insert into ledger_balance_tail select * from ledger_balance_tail",
    broken: "grant insert on ledger_balance_tail to tillpost_app",
  },
  { statement: "delete from audit_chains", broken: "grant delete on audit_chains to tillpost_app" },
  { statement: "select from schema_migration_turn", broken: "grant select on schema_migration_turn to tillpost_app" },
  {
    statement: "create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return new; end'",
    broken: "grant create on schema public to tillpost_app; alter function refuse_audit_change() owner to tillpost_app",
  },
  {
    statement: "alter function roll_balances(int) reset search_path",
    broken: "grant create on schema public to tillpost_app; alter function roll_balances(int) owner to tillpost_app",
  },
  { statement: "create table mine (id int)", broken: "grant create on schema public to tillpost_app" },
  {
    statement: "select from elsewhere.secrets",
    broken: "grant usage on schema elsewhere to tillpost_app; grant select on elsewhere.secrets to tillpost_app",
  },
  { statement: "select rolpassword from pg_authid", broken: "grant select on pg_authid to tillpost_app" },
  {
    statement: "select pg_read_file('PG_VERSION')",
    broken: "grant pg_read_server_files to tillpost_app; grant execute on function pg_read_file(text) to tillpost_app",
  },
  { statement: "set role tillpost_owner", broken: "grant tillpost_owner to tillpost_app" },
  { statement: "set session_replication_role = replica", broken: "grant set on parameter session_replication_role to tillpost_app" },
  { statement: "create role other", broken: "alter role tillpost_app createrole" },
];

test.each([...changes, ...emptied, ...owned, ...others])("the role that serves is refused: $statement", async ({ statement, broken }) => {
  await expect(runStatement(ctx.db, statement)).rejects.toMatchObject({ code: "42501" });
  // Let through, it does what it says or meets the next guard.
  await superuser.query("begin");
  try {
    await superuser.query(broken);
    await superuser.query("set local session authorization tillpost_app");
    const refusal = await superuser.query(statement).then(
      () => null,
      (error: { code: string }) => error.code,
    );
    expect(refusal).not.toBe("42501");
  } finally {
    await superuser.query("rollback");
  }
});

test.each(["roll_balances(1)", "chain_audit_rows('mer', array['aud'], array[1], array['00'])"])(
  "only the role that serves may call %s",
  async (call) => {
    await superuser.query("begin; create role stranger; set local session authorization stranger");
    await expect(superuser.query(`select ${call}`).finally(() => superuser.query("rollback"))).rejects.toMatchObject({ code: "42501" });
  },
);

test("the owner's functions ignore tables that their caller puts in front of the real ones", async () => {
  const forge = `
    set local session authorization tillpost_app;
    create temp table ledger_balance_tail (like public.ledger_balance_tail);
    insert into ledger_balance_tail select project_id, livemode, currency, gateway, account, 'txn_forged', 1000000, created_at from public.ledger_balance_tail;
    grant all on ledger_balance_tail to tillpost_owner;
    set local search_path = pg_temp, public`;
  const forged = async (before: string) => {
    await superuser.query(`begin; ${before}; ${forge}`);
    await superuser.query("select public.roll_balances(100)");
    const { rows } = await superuser.query<{ most: string }>("select max(abs(balance_minor)) as most from public.ledger_balances");
    await superuser.query("rollback");
    return Number(rows[0]?.most ?? 0);
  };
  expect(await forged("select 1")).toBe(500);
  expect(await forged("alter function roll_balances(int) set search_path = pg_temp, public")).not.toBe(500);
});

test("the role that serves books, chains and rolls, and can't change what it did", async () => {
  await pay();
  expect(await rollBalances(ctx, 100)).toBeGreaterThan(0);
  while ((await chainAudit(ctx)) > 0);
  expect((await auditLedger(ctx)).faults).toEqual([]);
  expect((await auditChain(ctx)).faults).toEqual([]);
  const [row] = await runStatement<{ merchant_id: string; id: string }>(
    ctx.db,
    "select merchant_id, id from audit_log where position = 1 limit 1",
  );
  const again = runStatement(ctx.db, "select chain_audit_rows(?, array[?], array[99], array['00'])", row?.merchant_id, row?.id);
  await expect(again).rejects.toThrow("append-only");
});
