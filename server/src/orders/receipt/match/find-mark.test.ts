import { expect, test } from "vitest";
import { findMark } from "./find-mark.ts";
import type { Asked } from "./world.ts";

const at = new Date("2026-11-22T08:00:00.000Z");
const day = 86_400_000;
const asking: Asked = {
  id: "ask_1",
  project_id: "prj_1",
  order_id: "ord_1",
  mode: "remark",
  amount_minor: 5000,
  nominal_minor: 5000,
  code: "18971",
  asked_from: at,
  asked_until: at,
  held_until: new Date(at.getTime() + day),
};
const markOf = (remark: string, amount_minor = 5000) => findMark({ remark, amount_minor, occurred_at: at }, [asking]);

test.each(["18971", "18971 261122", "订单18971 261122", "189 71 261122", "2026 189 71"])("the note %j names its order", (remark) => {
  expect(markOf(remark)).toEqual({ kind: "code", asking, fits: true });
});

test("a code that could be part of a phone number names nobody beside another amount, and a plain one names its order", () => {
  expect(markOf("18971 261122", 4000)).toEqual({ kind: "none" });
  expect(markOf("18971", 4000)).toEqual({ kind: "code", asking, fits: false });
});

test.each(["189 71 261122 1", "189 7126 1122", "138 18971 261", "13818971261"])("the digits of %j name nobody", (remark) => {
  expect(markOf(remark, 4000)).toEqual({ kind: "none" });
});
