import type { IgnoreRule } from "#collection/index.ts";
import { normalForm } from "#platform/index.ts";
import type { MatchReceipt } from "./world.ts";

/** True if the merchant's rule says that this income isn't the shop's. Width and case of letters don't matter. */
export function fitsRule(rule: IgnoreRule, receipt: Pick<MatchReceipt, "kind" | "payer_hint" | "remark">): boolean {
  const wanted = plain(rule.text);
  if (wanted === "") return false;
  if (rule.field === "payer") return plain(receipt.payer_hint) === wanted;
  if (rule.field === "type") return plain(receipt.kind).includes(wanted);
  return [receipt.kind, receipt.payer_hint, receipt.remark].some((text) => plain(text).includes(wanted));
}

function plain(text: string | null): string {
  return normalForm(text ?? "", "NFKC")
    .trim()
    .toLowerCase();
}
