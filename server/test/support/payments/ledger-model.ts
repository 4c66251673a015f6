import fc from "fast-check";
import { expect } from "vitest";
import { auditLedger, listWallets, type NewTransfer, reverseTransfer, rollBalances } from "#ledger/index.ts";
import { newId, type Tenant } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { bookTransfers } from "./book-transfers.ts";

const now = new Date("2026-11-20T10:00:00.000Z");

type Code = NewTransfer["debit"];
const chart: [NewTransfer["kind"], Code, Code][] = [
  ["order_payment", "custody", "sales"],
  ["suspense", "custody", "suspense"],
  ["excess", "custody", "excess"],
  ["refund", "refunds", "custody"],
  ["fee", "fees", "custody"],
  ["adjustment", "shortfall", "sales"],
  ["order_payment", "suspense", "sales"],
];

/** What a bookkeeper with a pencil would record. */
interface Booked {
  id: string;
  wallet: string;
  debit: Code;
  credit: Code;
  amount: number;
  reversal: boolean;
}
interface Model {
  booked: Booked[];
  sources: Set<string>;
  reversed: Set<string>;
}

const entry = fc.record({
  chart: fc.constantFrom(...chart),
  amount: fc.oneof(fc.integer({ min: 1, max: 99_999_999_999 }), fc.constantFrom(1, 99_999_999_999)),
  source: fc.integer({ min: 1, max: 12 }),
  currency: fc.constantFrom("CNY", "USD", "JPY"),
  gateway: fc.constantFrom("wechatpay", "alipay"),
  fault: fc.option(fc.constantFrom("amount", "fraction", "accounts", "currency", "gateway"), { nil: null, freq: 8 }),
});
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;
const tenantIndex = fc.integer({ min: 0, max: 3 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("record" as const),
      tenant: tenantIndex,
      entries: fc.array(entry, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("reverse" as const),
      tenant: tenantIndex,
      of: tenantIndex,
      pick: fc.nat(50),
      source: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("roll" as const), limit: fc.integer({ min: 1, max: 7 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Plays random bookings, reversals and rollers of four tenants against the model, and compares every wallet after every step. */
export async function expectHonestBooks(app: TestApp, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const tenants = [newId("prj"), newId("prj")].flatMap((project_id) => [
        { project_id, livemode: false },
        { project_id, livemode: true },
      ]);
      const models: Model[] = tenants.map(() => ({ booked: [], sources: new Set(), reversed: new Set() }));
      for (const given of steps) {
        await play(app, given, { tenants, models });
        for (const [index, tenant] of tenants.entries())
          expect(await walletsOf(app, tenant)).toEqual(expectedWallets(models[index] as Model));
      }
    }),
    { numRuns },
  );
  expect((await auditLedger(app.ctx)).faults).toEqual([]);
}

async function play(app: TestApp, given: Step, { tenants, models }: { tenants: Tenant[]; models: Model[] }): Promise<void> {
  if (given.do === "roll") return void (await rollBalances(app.ctx, given.limit));
  const tenant = tenants[given.tenant] as Tenant;
  const model = models[given.tenant] as Model;
  if (given.do === "record") return record(app, given.entries, { tenant, model });
  const original = models[given.of]?.booked[given.pick];
  const id = newId("txn");
  const allowed =
    given.of === given.tenant &&
    original !== undefined &&
    !original.reversal &&
    !model.reversed.has(original.id) &&
    !model.sources.has(`reversal ${given.source}`);
  const run = app.database.transact((tx) =>
    reverseTransfer(tx, tenant, { id, reverses: original?.id ?? "txn_none", source: String(given.source), created_by: "test", now }),
  );
  if (!allowed) return void (await expect(run).rejects.toThrow());
  await run;
  model.booked.push({ ...original, id, debit: original.credit, credit: original.debit, reversal: true });
  model.reversed.add(original.id);
  model.sources.add(`reversal ${given.source}`);
}

async function record(app: TestApp, entries: Entry[], { tenant, model }: { tenant: Tenant; model: Model }): Promise<void> {
  const transfers = entries.map(transferOf);
  const names = transfers.map(({ kind, source }) => `${kind} ${source}`);
  const allowed =
    entries.every(({ fault }) => fault === null) && new Set(names).size === names.length && names.every((name) => !model.sources.has(name));
  const run = app.database.transact((tx) => bookTransfers(tx, tenant, transfers));
  if (!allowed) return void (await expect(run).rejects.toThrow());
  expect((await run).map(({ id }) => id)).toEqual(transfers.map(({ id }) => id));
  for (const name of names) model.sources.add(name);
  for (const { id, currency, gateway, debit, credit, amount_minor } of transfers) {
    model.booked.push({ id, wallet: `${currency} ${gateway}`, debit, credit, amount: amount_minor, reversal: false });
  }
}

function transferOf({ chart: [kind, debit, credit], amount, source, currency, gateway, fault }: Entry): NewTransfer {
  const broken = fault === "amount" ? -amount : fault === "fraction" ? amount + 0.5 : amount;
  return {
    id: newId("txn"),
    kind,
    source: String(source),
    created_by: "test",
    now,
    debit,
    credit: fault === "accounts" ? debit : credit,
    amount_minor: broken,
    currency: fault === "currency" ? "yuan" : currency,
    gateway: fault === "gateway" ? "No Gateway" : gateway,
  };
}

async function walletsOf(app: TestApp, tenant: Tenant) {
  const page = await listWallets(app.ctx, tenant, { limit: 100 });
  return Object.fromEntries(
    (page?.data ?? []).map(({ currency, gateway, balance_minor, available_minor, pending_minor, refunded_minor }) => [
      `${currency} ${gateway}`,
      { balance_minor, available_minor, pending_minor, refunded_minor },
    ]),
  );
}

function expectedWallets({ booked }: Model) {
  const wallets: Record<string, object> = {};
  for (const name of new Set(
    booked.filter(({ debit, credit }) => debit === "custody" || credit === "custody").map(({ wallet }) => wallet),
  )) {
    const own = booked.filter(({ wallet }) => wallet === name);
    const sum = (...codes: Code[]) =>
      own.reduce(
        (total, { debit, credit, amount }) => total + (codes.includes(debit) ? amount : 0) - (codes.includes(credit) ? amount : 0),
        0,
      );
    const pending = -sum("suspense", "excess") || 0;
    wallets[name] = {
      balance_minor: sum("custody"),
      available_minor: sum("custody") - pending,
      pending_minor: pending,
      refunded_minor: sum("refunds"),
    };
  }
  return wallets;
}
