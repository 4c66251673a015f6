import { findCall, prepareCall, withdrawCalls, writeSecretCall } from "#calls/index.ts";
import { readSender } from "#numbers/index.ts";
import { spokenText } from "../words/write-code.ts";
import { type Carrier, failureOf, tagsOf } from "./carrier.ts";

const lost: ReadonlySet<string> = new Set(["busy", "no_answer", "failed", "canceled"]);

export const callCarrier: Carrier = {
  channel: "call",
  async prepare(ctx, tenant, message) {
    const { tier, to, from, seconds } = message;
    const call = { to, from: callerOf(from), ...spokenText(message), expires_in: seconds, tags: tagsOf(message) };
    const prepared = await prepareCall(ctx, tenant, { tier, call });
    return { write: async (tx, pinned) => (await writeSecretCall(tx, pinned, { tenant, prepared })).id };
  },
  async deliveryOf(ctx, tenant, id) {
    const { status, error } = await findCall(ctx, tenant, id);
    if (status === "completed") return "arrived";
    if (status === "in_progress") return "arriving";
    return lost.has(status) ? failureOf(status, error) : "open";
  },
  withdraw: withdrawCalls,
};

/** Names and short codes only send SMS, so the call comes from the project's usual number. */
function callerOf(from: string | null): string | null {
  if (from === null) return null;
  const kind = readSender(from)?.kind ?? "number";
  return kind === "number" ? from : null;
}
