import { afterAll, expect, it } from "vitest";
import { readWritten } from "#test/support/upgrade/written.ts";
import { oldProgram } from "./old-program.ts";
import { sideBySide } from "./side-by-side.ts";

/** The oldest version whose processes may run alongside this one's: `docs/decisions/0057-versions-side-by-side.md`. */
const commit = "09da3fa52aa20377a86b9faf008c6f937466982f";
const old = oldProgram(commit);
afterAll(() => old.remove());

it("that version and this one serve and work on one database through ten minutes of load: nothing fails, is lost or happens twice", async () => {
  const written = readWritten(new URL("../../support/upgrade/written-by-09da3fa.json.gz", import.meta.url));
  const report = await sideBySide({ written, old, durationMs: 600_000, callers: 4 });
  console.info(JSON.stringify({ ...report, faults: report.faults.length }));
  expect(report.faults).toEqual([]);
  expect(report.orders).toBeGreaterThan(100);
});
