import { listKeysWithoutReceipts } from "#identity/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Finding } from "./checks.ts";

/** Keys that an upgrade has left unable to report LIVE transfers, until they are replaced. */
export async function checkReceiptKeys(ctx: Pick<Ctx, "db" | "now">): Promise<Finding[]> {
  const lost = await listKeysWithoutReceipts(ctx);
  if (lost.length === 0) return [];
  return [
    {
      check: "keys",
      state: "note",
      message: `these LIVE keys can no longer report incoming transfers:${describeKeys(lost)}`,
      fix: howToReplace,
    },
  ];
}

export const howToReplace =
  "Create a key with only receipts:write for each, with its receiving_account and allowed_ips. The owners were notified by email.";

/** One key per line. */
export function describeKeys(keys: readonly { id: string; name: string; last4: string; project_id: string }[]): string {
  return keys
    .map(({ id, name, last4, project_id }) => `\n                 ${id}  …${last4}  ${project_id}  ${JSON.stringify(name)}`)
    .join("");
}
