import { expect, test } from "vitest";
import { findMark } from "./find-mark.ts";
import type { Reservation } from "./world.ts";

const at = new Date("2026-11-22T08:00:00.000Z");
const day = 86_400_000;
const reservation: Reservation = {
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
const markOf = (remark: string, amount_minor = 5000, reservations = [reservation]) =>
  findMark({ remark, amount_minor, occurred_at: at }, reservations);

test.each(["18971", "18971 261122", "订单18971 261122", "189 71 261122", "2026 189 71"])("the note %j identifies its order", (remark) => {
  expect(markOf(remark)).toEqual({ kind: "code", reservation, fits: true });
});

test("a code that could be part of a phone number identifies no order with another amount, and a plain one identifies its order", () => {
  expect(markOf("18971 261122", 4000)).toEqual({ kind: "none" });
  expect(markOf("18971", 4000)).toEqual({ kind: "code", reservation, fits: false });
});

test.each(["189 71 261122 1", "189 7126 1122", "138 18971 261", "13818971261"])("the digits of %j identify no order", (remark) => {
  expect(markOf(remark, 4000)).toEqual({ kind: "none" });
});

test.each([5000, 4000])(
  "a note that is one order's code as typed and another's joined belongs to neither before a person decides: %s",
  (amount) => {
    const joined: Reservation = { ...reservation, id: "ask_2", order_id: "ord_2", code: "212345" };
    const typed: Reservation = { ...reservation, code: "12345" };
    for (const note of ["2 12345", "２　１２３４５"]) {
      const mark = markOf(note, amount, [typed, joined]);
      expect(mark.kind).toBe("several");
      expect(mark.kind === "several" && mark.reservations.map(({ order_id }) => order_id).sort()).toEqual(["ord_1", "ord_2"]);
    }
  },
);

test.each(["12345", "212345"])(
  "the same note identifies the one order whose code %s was requested, and pays it only with the exact amount",
  (code) => {
    const only: Reservation = { ...reservation, code };
    expect(markOf("2 12345", 5000, [only])).toEqual({ kind: "code", reservation: only, fits: true });
    expect(markOf("2 12345", 4000, [only])).toEqual({ kind: "code", reservation: only, fits: false });
  },
);
