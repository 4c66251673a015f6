import { expect, test } from "vitest";
import { listNamedPayments, listNamedRefunds, listUnlistedPayments } from "#orders/compare/sql.ts";
import { fullQueues } from "./claims.ts";
import { insertSettled, plansOf } from "./plans.sql.ts";

const { client, tenant } = await fullQueues(6_000);
const account = { ...tenant, credential_id: "gc_1" };
const span = { from: new Date("2026-01-01T00:00:00Z"), until: new Date("2027-01-01T00:00:00Z"), limit: 200 };

test("what a provider's list is compared with is read by indexes, whoever else has payments", async () => {
  await insertSettled(client, tenant);
  const references = Array.from({ length: 200 }, (_, n) => `ps_${n + 1}`);
  const [named] = await plansOf(client, (tx) => listNamedPayments(tx, account, { references, ids: ["cap_1"] }));
  expect(named?.indexes).toContain("gateway_payments_by_provider");
  expect(named?.text).not.toContain("Seq Scan");
  const [refunds] = await plansOf(client, (tx) => listNamedRefunds(tx, account, { references: ["rf_1"], ids: ["re_1"] }));
  expect(refunds?.indexes).toContain("refunds_by_gateway_refund");
  const [unlisted] = await plansOf(client, (tx) => listUnlistedPayments(tx, account, span));
  expect(unlisted?.indexes).toContain("gateway_payments_unlisted");
  expect(unlisted?.rows).toBe(5);
});
