import { listSharedNumbers } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Finding } from "./checks.ts";

const shownMax = 20;

/**
 * Transfer numbers that an upgrade found twice: one transfer that was booked for two orders, or two numbers that differ only in blanks or
 * case.
 */
export async function checkNumbers(ctx: Ctx): Promise<Finding[]> {
  const shared = await listSharedNumbers(ctx.db, shownMax + 1);
  if (shared.length === 0) return [];
  const shown = shared
    .slice(0, shownMax)
    .map(
      (row) =>
        `\n           ${row.what} ${JSON.stringify(row.external_id)} (${row.gateway}, ${row.project_id}, ${row.livemode ? "LIVE" : "TEST"})`,
    );
  const more = shared.length > shownMax ? "\n           and more" : "";
  return [
    {
      check: "numbers",
      state: "note",
      message: `transfer numbers from earlier versions that appear twice:${shown.join("")}${more}`,
      fix: "They weren't changed. Compare each with your account: one transfer may have been used for two orders.",
    },
  ];
}
