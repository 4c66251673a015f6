import { expect, test } from "vitest";
import { playReceipts } from "./play-receipts.ts";
import type { MatchData, MatchReceipt } from "./world.ts";

const start = new Date("2026-11-01T00:00:00.000Z").getTime();
const minuteMs = 60_000;

/** A month of orders at one price, all paid, and the statement's rows for them. */
function monthOf(count: number, mode: "remark" | "exact"): { world: MatchData; rows: MatchReceipt[] } {
  const world: MatchData = { reservations: [], orders: new Map(), pieces: [], receipts: [] };
  const common = { project_id: "prj_1", amount_minor: 5000 };
  for (let at = 0; at < count; at += 1) {
    const [id, occurred_at] = [`ord_${at}`, new Date(start + at * minuteMs)];
    const code = mode === "remark" ? String(10_000 + at) : null;
    const asked = { asked_from: occurred_at, asked_until: occurred_at, held_until: new Date(occurred_at.getTime() + 60 * minuteMs) };
    world.reservations.push({ ...common, ...asked, id: `ask_${at}`, order_id: id, mode, nominal_minor: 5000, code });
    world.orders.set(id, { id, project_id: "prj_1", status: "paid", flags: [], expires_at: asked.held_until, owed_minor: 5000 });
    const booked = { external_id: `receipt:rcp_${at}`, external_key: null, order_id: id, reversed_orders: [], session_id: null };
    world.pieces.push({ ...common, ...booked, occurred_at, sources: mode === "remark" ? ["listener"] : [], set_id: null });
    const waiting = { exception_id: null, twin_id: null, set_id: null, booked_external_id: null, decided_by: null } as const;
    const row = { id: `row_${at}`, source: "statement", state: "final", status: "unmatched" } as const;
    const facts = { amount_minor: 5000, occurred_at, remark: code, payer_hint: null, kind: null, external_key: `4200${at}` };
    world.receipts.push({ ...row, ...facts, ...waiting });
  }
  return { world, rows: [...world.receipts] };
}

test.each(["remark", "exact"] as const)("a statement of settled orders takes time that hardly grows faster than its rows (%s)", (mode) => {
  const run = (count: number) => {
    const { world, rows } = monthOf(count, mode);
    const before = process.cpuUsage();
    const played = playReceipts(world, rows);
    const { user, system } = process.cpuUsage(before);
    expect([...played.values()].map(({ outcome }) => outcome)).toEqual(rows.map(() => "linked"));
    return user + system;
  };
  run(100);
  const small = Math.min(run(200), run(200));
  // Four times the rows: linear is 4, the square is 16, the cube is 64. The rest is what noise may add.
  expect(run(800)).toBeLessThan(small * 16 + 200_000);
});
