import { expect, test } from "vitest";
import { classifyCheck } from "./classify-check.ts";
import type { DomainRow } from "./sql.ts";
import { domainStates } from "./states.ts";

const now = new Date("2026-11-23T05:00:00Z");
const longAgo = new Date("2026-11-01T05:00:00Z");

const rowOf = (status: DomainRow["status"], since: Date): DomainRow => ({
  project_id: "prj_1",
  livemode: true,
  id: "dom_1",
  name: "shop.example.com",
  status,
  records: [
    { purpose: "dkim", type: "TXT", name: "a._domainkey.shop.example.com", value: "v=DKIM1", status: "pending" },
  ] as unknown as DomainRow["records"],
  checked_at: null,
  next_check_at: now,
  pending_since: since,
  missing_since: status === "verified" ? since : null,
  verified_at: null,
  failed_at: null,
  checks: 0,
  version: 1,
  created_at: since,
  updated_at: since,
});

test("DNS checks move a domain exactly as its table says", () => {
  const moves = domainStates.all.flatMap((from) =>
    [true, false, null].flatMap((found) =>
      [now, longAgo].flatMap((since) =>
        [true, false].map((requested) => `${from}>${classifyCheck(rowOf(from, since), [found], { now, isRequested: requested }).status}`),
      ),
    ),
  );
  const real = moves.filter((move) => new Set(move.split(">")).size === 2);
  expect([...new Set(real)].sort()).toEqual([...domainStates.moves].sort());
});
