import type { Ctx } from "#platform/index.ts";
import { cleanName, cleanText } from "../mail/clean-text.ts";
import type { Facts } from "./facts.ts";
import { onPage } from "./linked-facts.ts";
import type { ParamsOf } from "./params.ts";

type AccountNotice = "gateway_account_refused" | "gateway_account_accepted";

/** An account with a payment provider that stopped working, or works again, without anyone having changed it. */
export function prepareAccount(ctx: Ctx, given: ParamsOf[AccountNotice]): Promise<{ facts: Facts[AccountNotice]; test: boolean } | null> {
  const { project_id, livemode, gateway, credential_id, label, message, at } = given;
  const path = `/gateways/${encodeURIComponent(gateway)}/${encodeURIComponent(credential_id)}`;
  return onPage(ctx, { project_id, livemode, path }, (page) => ({
    ...page,
    method: ctx.methods.find(gateway)?.names ?? null,
    account: label == null ? null : cleanName(label),
    message: message == null ? null : cleanText(message, 300),
    at: new Date(at),
  }));
}
