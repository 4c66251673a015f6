import { expect, test } from "vitest";
import { statementsGoTogetherByPipeline } from "./pipelines.ts";

const faultsOf = (text: string) => statementsGoTogetherByPipeline([{ path: "server/src/orders/cancel-order.ts", text }]).length;
const inside = (text: string) => `async function cancel(tx: Tx, ctx: Ctx) { ${text} }`;

test.each([
  [inside("await Promise.all([lockOrder(tx, 1), lockParts(tx, 1)]);")],
  [inside("await Promise.allSettled(parts.map((part) => updatePart(tx, part)));")],
  ["const cancel = (ctx) => ctx.transact(async (tx) => { await Promise.all([lockOrder(tx, 1), 2]); });"],
  ["const cancel = (tx) => trySavepoint(tx, (inner) => Promise.race([lockOrder(inner, 1)]), isTaken);"],
  [inside("const begun = updateOrder(tx, 1); await begun;")],
])("%s is refused", (text) => {
  expect(faultsOf(text)).toBe(1);
});

test.each([
  [inside("await pipeline(tx, (pipe) => [lockOrder(pipe, 1), lockParts(pipe, 1)]);")],
  [inside("const order = await lockOrder(tx, 1); return order;")],
  ["async function read(db: Db) { await Promise.all([listOrders(db), listParts(db)]); }"],
  [inside("await Promise.all(files.map((file) => store(file)));")],
])("%s is allowed", (text) => {
  expect(faultsOf(text)).toBe(0);
});
