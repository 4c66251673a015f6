import { expect, test } from "vitest";
import { newId, openDatabase } from "#platform/index.ts";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { bookTransfers } from "#test/support/payments/book-transfers.ts";
import { listUnequalBalances } from "./audit/sql.ts";
import { updateBalances } from "./balance/balances.sql.ts";
import { auditLedger, listWallets } from "./index.ts";

const { ctx, url } = await testApp();
const tenant = { project_id: "prj_busy", livemode: false };
const writers = 64;
const transfersOfOne = 12;

test("64 writers, two rollers and a killed one: every read is exact", async () => {
  const database = openDatabase({ url, max: writers + 4, ...patience });
  let writing = true;
  let booked = 0;
  const seen = { reads: 0, kills: 0 };
  /** However fast the writers are, some reads and kills happen during their work. */
  const isEnough = () => seen.reads > 3 && seen.kills > 0;
  try {
    const write = async (writer: number) => {
      for (let turn = 0; turn < transfersOfOne || !isEnough(); turn += 1) {
        await database.transact((tx) => bookTransfers(tx, tenant, [transferOf(writer, turn)]));
        booked += 1;
      }
    };
    const roll = async () => {
      while (writing) await database.transact((tx) => updateBalances(tx, 37));
    };
    const read = async () => {
      let last = 0;
      while (writing) {
        const floor = booked;
        expect(await listUnequalBalances(database.db, tenant, 10)).toEqual([]);
        const [wallet] = (await listWallets({ db: database.db }, tenant, { limit: 1 }))?.data ?? [];
        const balance = wallet?.balance_minor ?? 0;
        expect(balance).toBeGreaterThanOrEqual(Math.max(last, floor));
        last = balance;
        seen.reads += 1;
      }
    };
    const others = [roll(), roll(), killRollers(() => writing, seen), read()];
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    writing = false;
    await Promise.all(others);
  } finally {
    writing = false;
    await database.close();
  }
  const [wallet] = (await listWallets(ctx, tenant, { limit: 1 }))?.data ?? [];
  expect(wallet?.balance_minor).toBe(booked);
  expect(await auditLedger(ctx)).toEqual({ tenants: 1, transfers: booked, faults: [], truncated: false });
});

test("the first concurrent transfers of one wallet, in either order of accounts, open each account once", async () => {
  const newTenant = { project_id: "prj_fresh", livemode: true };
  const database = openDatabase({ url, max: 32, ...patience });
  try {
    await Promise.all(
      Array.from({ length: 32 }, (_, index) => {
        const pair = [
          transferOf(1000 + index, 1),
          { ...transferOf(2000 + index, 1), kind: "suspense" as const, credit: "suspense" as const },
        ];
        return database.transact(async (tx) => {
          await bookTransfers(tx, newTenant, index % 2 === 0 ? pair : pair.reverse());
        });
      }),
    );
    const accounts = await runStatement(
      database.db,
      "select code from ledger_accounts where project_id = ? and livemode order by code",
      newTenant.project_id,
    );
    expect(accounts).toEqual([{ code: "custody" }, { code: "sales" }, { code: "suspense" }]);
  } finally {
    await database.close();
  }
});

function transferOf(writer: number, turn: number) {
  return {
    id: newId("txn"),
    kind: "order_payment" as const,
    source: `${writer}:${turn}`,
    debit: "custody" as const,
    credit: "sales" as const,
    amount_minor: 1,
    currency: "CNY",
    gateway: "wechatpay",
    created_by: "test",
    now: new Date("2026-11-20T10:00:00.000Z"),
  };
}

/** Rollers whose connection dies after they took tail rows and before they commit. */
async function killRollers(going: () => boolean, seen: { kills: number }): Promise<void> {
  while (going()) {
    const roller = openDatabase({ url, max: 1, ...patience });
    const killed = roller.transact(async (tx) => {
      await updateBalances(tx, 50);
      await runStatement(tx, "select pg_terminate_backend(pg_backend_pid())");
    });
    await killed.catch(() => {
      seen.kills += 1;
    });
    await roller.close(0);
  }
}
