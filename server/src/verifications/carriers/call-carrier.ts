import { findCall, prepareCall, withdrawCalls, writeSecretCall } from "#calls/index.ts";
import { spokenText } from "../words/write-code.ts";
import { type Carrier, failureOf, tagsOf } from "./carrier.ts";

const lost: ReadonlySet<string> = new Set(["busy", "no_answer", "failed", "canceled"]);
/** The caller in TEST if the request doesn't say. */
const usualTestNumber = "+15005550006";

export const callCarrier: Carrier = {
  channel: "call",
  async prepare(ctx, tenant, message) {
    const { tier, to, from, seconds } = message;
    const call = {
      to,
      from: from ?? (tenant.livemode ? "" : usualTestNumber),
      ...spokenText(message),
      expires_in: seconds,
      tags: tagsOf(message),
    };
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
