import { beforeAll, describe, expect, test } from "vitest";
import type { Tx } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { bookTransfers } from "#test/support/payments/book-transfers.ts";
import { auditLedger, ledgerGuards } from "./audit/audit-ledger.ts";

const { ctx, database } = await testApp({ asSuperuser: true });
const a = { project_id: "prj_a", livemode: false };
const now = new Date("2026-11-20T10:00:00.000Z");

const honest = {
  project_id: "prj_a",
  livemode: false,
  id: "txn_new",
  kind: "adjustment",
  source: "new",
  currency: "CNY",
  gateway: "wechatpay",
  debit: "custody",
  credit: "sales",
  amount_minor: 500,
  reverses: null as string | null,
  created_by: "somebody",
  created_at: now,
};

const transfer = (given: Partial<typeof honest>) => (tx: Tx) => {
  const row = { ...honest, ...given };
  const places = Object.keys(row).map(() => "?");
  return runStatement(tx, `insert into ledger_transfers (${Object.keys(row)}) values (${places})`, ...Object.values(row));
};
const account = (values: string) => (tx: Tx) =>
  runStatement(
    tx,
    `insert into ledger_accounts (project_id, livemode, currency, gateway, code, wallet_id, created_at) values (${values}, '2026-11-20T10:00:00Z')`,
  );
const run = (text: string) => (tx: Tx) => runStatement(tx, text);
const reversal = { kind: "reversal", debit: "sales", credit: "custody", amount_minor: 9900, reverses: "txn_first" } as const;

interface Refusal {
  what: string;
  guard: (typeof ledgerGuards)[number];
  /** Guards that would refuse it as well, removed so that only this one can. */
  behind?: string[];
  attempt(tx: Tx): Promise<unknown>;
}

/**
 * `fees` was opened for the live environment, `refunds` for USD, `excess` for project B, `shortfall` for Alipay: each exists, and none is
 * this transfer's.
 */
const refusals: Refusal[] = [
  { what: "a test transfer to a live account", guard: "ledger_transfers_debit", attempt: transfer({ debit: "fees", credit: "custody" }) },
  { what: "a test transfer from a live account", guard: "ledger_transfers_credit", attempt: transfer({ credit: "fees" }) },
  { what: "a live transfer from a test account", guard: "ledger_transfers_credit", attempt: transfer({ livemode: true, debit: "fees" }) },
  { what: "a CNY transfer to a USD account", guard: "ledger_transfers_debit", attempt: transfer({ debit: "refunds", credit: "custody" }) },
  { what: "a CNY transfer from a USD account", guard: "ledger_transfers_credit", attempt: transfer({ credit: "refunds" }) },
  {
    what: "a transfer of project A to an account of project B",
    guard: "ledger_transfers_debit",
    attempt: transfer({ debit: "excess", credit: "sales" }),
  },
  {
    what: "a transfer of project A from an account of project B",
    guard: "ledger_transfers_credit",
    attempt: transfer({ credit: "excess" }),
  },
  { what: "a transfer between two gateways", guard: "ledger_transfers_credit", attempt: transfer({ credit: "shortfall" }) },
  { what: "changing a transfer", guard: "ledger_transfers_append_only", attempt: run("update ledger_transfers set description = 'other'") },
  { what: "deleting a transfer", guard: "ledger_transfers_append_only", attempt: run("delete from ledger_transfers") },
  { what: "emptying the transfers", guard: "ledger_transfers_no_truncate", attempt: run("truncate ledger_transfers cascade") },
  { what: "changing an account", guard: "ledger_accounts_append_only", attempt: run("update ledger_accounts set created_at = now()") },
  {
    what: "deleting an account",
    guard: "ledger_accounts_append_only",
    attempt: run("delete from ledger_accounts where code = 'suspense'"),
  },
  {
    what: "a second transfer under one id",
    guard: "ledger_transfers_pkey",
    behind: ["ledger_balance_tail_pkey"],
    attempt: transfer({ id: "txn_first" }),
  },
  { what: "the same cause twice", guard: "ledger_transfers_source", attempt: transfer({ kind: "order_payment", source: "wechatpay:1" }) },
  { what: "a transfer without a cause", guard: "ledger_transfers_source_named", attempt: transfer({ source: "" }) },
  { what: "an unknown kind", guard: "ledger_transfers_kind", attempt: transfer({ kind: "gift" }) },
  { what: "an amount of nothing", guard: "ledger_transfers_amount", attempt: transfer({ amount_minor: 0 }) },
  { what: "a negative amount", guard: "ledger_transfers_amount", attempt: transfer({ amount_minor: -1 }) },
  { what: "an amount past the limit", guard: "ledger_transfers_amount", attempt: transfer({ amount_minor: 100_000_000_000 }) },
  {
    what: "an account paying itself",
    guard: "ledger_transfers_two_accounts",
    behind: ["ledger_balance_tail_pkey"],
    attempt: transfer({ credit: "custody" }),
  },
  {
    what: "an order's payment that does not reach the sales",
    guard: "ledger_transfers_kind_accounts",
    attempt: transfer({ kind: "order_payment", credit: "suspense" }),
  },
  {
    what: "a dispute that takes nothing out of custody",
    guard: "ledger_transfers_kind_accounts",
    attempt: transfer({ kind: "dispute", debit: "custody", credit: "sales" }),
  },
  {
    what: "a dispute's money that comes back from elsewhere",
    guard: "ledger_transfers_kind_accounts",
    attempt: transfer({ kind: "dispute_reversal", debit: "custody", credit: "sales" }),
  },
  { what: "a reversal of nothing", guard: "ledger_transfers_reversal_kind", attempt: transfer({ kind: "reversal" }) },
  {
    what: "a payment that claims to reverse",
    guard: "ledger_transfers_reversal_kind",
    attempt: transfer({ ...reversal, kind: "adjustment" }),
  },
  { what: "a reversal of another amount", guard: "ledger_transfers_mirror", attempt: transfer({ ...reversal, amount_minor: 9899 }) },
  {
    what: "a reversal that moves the same way again",
    guard: "ledger_transfers_mirror",
    attempt: transfer({ ...reversal, debit: "custody", credit: "sales" }),
  },
  {
    what: "a reversal of a reversal",
    guard: "ledger_transfers_mirror",
    attempt: transfer({ ...honest, kind: "reversal", amount_minor: 700, reverses: "txn_back" }),
  },
  {
    what: "a reversal of another project's transfer",
    guard: "ledger_transfers_reverses",
    behind: ["ledger_transfers_mirror"],
    attempt: transfer({ ...reversal, reverses: "txn_of_b" }),
  },
  {
    what: "a second reversal",
    guard: "ledger_transfers_reversed_once",
    attempt: transfer({ ...reversal, amount_minor: 700, reverses: "txn_taken_back" }),
  },
  {
    what: "a currency in small letters",
    guard: "ledger_accounts_currency",
    attempt: account("'prj_a', false, 'cny', 'wechatpay', 'fees', null"),
  },
  { what: "a gateway without a name", guard: "ledger_accounts_gateway", attempt: account("'prj_a', false, 'CNY', '', 'fees', null") },
  {
    what: "an account outside the chart",
    guard: "ledger_accounts_code",
    attempt: account("'prj_a', false, 'CNY', 'wechatpay', 'gifts', null"),
  },
  {
    what: "custody that is no wallet",
    guard: "ledger_accounts_custody_is_wallet",
    attempt: account("'prj_c', false, 'CNY', 'wechatpay', 'custody', null"),
  },
  {
    what: "one wallet name for two accounts",
    guard: "ledger_accounts_wallet",
    attempt: account(
      "'prj_a', false, 'JPY', 'wechatpay', 'custody', (select max(wallet_id) from ledger_accounts where project_id = 'prj_a' and not livemode)",
    ),
  },
  { what: "one account twice", guard: "ledger_accounts_pkey", attempt: account("'prj_a', false, 'CNY', 'wechatpay', 'sales', null") },
];

beforeAll(async () => {
  const base = { kind: "adjustment", amount_minor: 500, currency: "CNY", gateway: "wechatpay", created_by: "seed", now } as const;
  await database.transact(async (tx) => {
    await bookTransfers(tx, a, [
      { ...base, id: "txn_first", kind: "order_payment", source: "wechatpay:1", debit: "custody", credit: "sales", amount_minor: 9900 },
      { ...base, id: "txn_taken_back", source: "seed 2", debit: "custody", credit: "sales", amount_minor: 700 },
      { ...base, ...reversal, id: "txn_back", source: "seed 3", amount_minor: 700, reverses: "txn_taken_back" },
      { ...base, id: "txn_usd", source: "seed 4", debit: "refunds", credit: "custody", currency: "USD" },
      { ...base, id: "txn_alipay", source: "seed 5", debit: "shortfall", credit: "sales", gateway: "alipay" },
    ]);
    await bookTransfers(tx, { ...a, livemode: true }, [{ ...base, id: "txn_live", source: "seed 6", debit: "fees", credit: "shortfall" }]);
    await bookTransfers(tx, { project_id: "prj_b", livemode: false }, [
      { ...base, id: "txn_of_b", kind: "order_payment", source: "seed 7", debit: "custody", credit: "sales", amount_minor: 9900 },
      { ...base, id: "txn_b", source: "seed 8", debit: "custody", credit: "excess" },
    ]);
  });
  // Outside any transfer, so that only the guard itself can prevent it.
  await database.transact(account("'prj_a', false, 'CNY', 'wechatpay', 'suspense', null"));
});

describe("the books refuse", () => {
  test.each(refusals)("$what", async ({ guard, behind = [], attempt }) => {
    const before = await books();
    await expect(
      rolledBack(async (tx) => {
        for (const name of behind) await drop(tx, name);
        await attempt(tx);
      }),
    ).rejects.toMatchObject({ constraint: guard });
    expect(await books()).toEqual(before);
  });

  test("nothing without its own guard in this table", () => {
    const shown = new Set(refusals.map(({ guard }) => guard));
    expect(ledgerGuards.filter((name) => !shown.has(name))).toEqual(["ledger_transfers_tail"]);
  });
});

describe("without its guard, and only then, the database accepts", () => {
  test.each(refusals)("$what", async ({ guard, behind = [], attempt }) => {
    const audit = await rolledBack(async (tx) => {
      for (const name of [...behind, guard]) await drop(tx, name);
      await attempt(tx);
      return auditLedger({ db: tx, transact: (work) => work(tx) });
    });
    expect(audit.faults).toContainEqual({ check: "guard", project_id: null, livemode: null, detail: { missing: guard } });
  });

  test("a transfer that reaches no balance, and the audit counts the difference", async () => {
    const audit = await rolledBack(async (tx) => {
      await drop(tx, "ledger_transfers_tail");
      await transfer({})(tx);
      return auditLedger({ db: tx, transact: (work) => work(tx) });
    });
    expect(audit.faults.filter(({ check }) => check === "balance").map(({ detail }) => detail)).toEqual([
      { currency: "CNY", gateway: "wechatpay", account: "custody", derived_minor: "10400", kept_minor: "9900" },
      { currency: "CNY", gateway: "wechatpay", account: "sales", derived_minor: "-10400", kept_minor: "-9900" },
    ]);
  });
});

describe("the audit reports", () => {
  const damages: [string, string, string[], object][] = [
    [
      "a snapshot that lost a cent",
      "update ledger_balances set balance_minor = balance_minor - 1 where project_id = 'prj_a' and currency = 'CNY' and gateway = 'wechatpay' and not livemode and account = 'custody'",
      ["balance", "currency_sum"],
      { currency: "CNY", sum_minor: "-1" },
    ],
    [
      "a tail row of no transfer",
      "insert into ledger_balance_tail values ('prj_a', false, 'CNY', 'wechatpay', 'custody', 'txn_none', 0, now())",
      ["orphan"],
      { transfer_id: "txn_none", account: "custody" },
    ],
  ];
  test.each(damages)("%s", async (_what, damage, checks, detail) => {
    const audit = await rolledBack(async (tx) => {
      await runStatement(
        tx,
        "insert into ledger_balances select project_id, livemode, currency, gateway, account, sum(delta_minor), max(created_at) from ledger_balance_tail group by 1, 2, 3, 4, 5",
      );
      await runStatement(tx, "delete from ledger_balance_tail");
      await runStatement(tx, damage);
      return auditLedger({ db: tx, transact: (work) => work(tx) });
    });
    expect([...new Set(audit.faults.map(({ check }) => check))]).toEqual(checks);
    expect(audit.faults).toContainEqual({ check: checks.at(-1), ...a, detail });
  });

  test("nothing in honest books", async () => {
    expect(await auditLedger(ctx)).toEqual({ tenants: 3, transfers: 8, faults: [], truncated: false });
  });
});

const undone = Symbol("undone");

/** Runs `work` in a transaction that never commits. */
async function rolledBack<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  let result: T | undefined;
  await database
    .transact(async (tx) => {
      result = await work(tx);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return result as T;
}

async function drop(tx: Tx, guard: string): Promise<void> {
  const ofConstraint = "select conrelid::regclass::text as at from pg_constraint where conname = ?";
  const [constraint] = await runStatement<{ at: string }>(tx, ofConstraint, guard);
  if (constraint !== undefined) return void (await runStatement(tx, `alter table ${constraint.at} drop constraint ${guard} cascade`));
  const [trigger] = await runStatement<{ at: string }>(tx, "select tgrelid::regclass::text as at from pg_trigger where tgname = ?", guard);
  await runStatement(tx, trigger === undefined ? `drop index ${guard}` : `drop trigger ${guard} on ${trigger.at}`);
}

function books() {
  const all = (tx: Tx, table: string, key: string) => runStatement(tx, `select * from ${table} order by project_id, livemode, ${key}`);
  return database.transact(async (tx) => ({
    transfers: await all(tx, "ledger_transfers", "id"),
    accounts: await all(tx, "ledger_accounts", "currency, gateway, code"),
    tail: await all(tx, "ledger_balance_tail", "currency, gateway, account, transfer_id"),
  }));
}
