import type { Ctx } from "#platform/index.ts";
import { createClient } from "./client.ts";
import type { CarrierAccount } from "./read-accounts.ts";

/** The result of trying an account: the carrier knows it, or the reason it can't be used. */
export type AccountTried = { state: "known" } | { state: "refused"; reason: string };

/** Requests a list with one entry, such as `/Messages.json`, which changes nothing and costs nothing. */
export async function tryAccount({ egress }: Pick<Ctx, "egress">, account: CarrierAccount, list: string): Promise<AccountTried> {
  const client = createClient({ account, request: (given) => egress.request(given) });
  const answer = await client.get(`${list}?PageSize=1`, new AbortController().signal);
  if (answer.kind === "done") return { state: "known" };
  if ("reason" in answer) return { state: "refused", reason: answer.reason };
  const { status, code, message } = answer;
  return { state: "refused", reason: `${message} (${code ?? `HTTP ${status}`})` };
}
