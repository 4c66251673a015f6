import { findSms, prepareSecretSms, withdrawSms, writeSecretSms } from "#sms/index.ts";
import { smsText } from "../words/write-code.ts";
import { type Carrier, failureOf, tagsOf } from "./carrier.ts";

const lost: ReadonlySet<string> = new Set(["failed", "undelivered", "canceled"]);

export const smsCarrier: Carrier = {
  channel: "sms",
  async prepare(ctx, tenant, message) {
    const { tier, to, from, seconds } = message;
    const sms = { to, from, body: smsText(message), validity_period: seconds, tags: tagsOf(message) };
    const ready = await prepareSecretSms(ctx, tenant, { tier, sms });
    return {
      async write(tx, pinned) {
        await writeSecretSms(tx, pinned, ready);
        return ready.sms.id;
      },
    };
  },
  async deliveryOf(ctx, tenant, id) {
    const { status, error } = (await findSms(ctx, tenant, id)).sms;
    if (status === "delivered") return "arrived";
    return lost.has(status) ? failureOf(status, error) : "open";
  },
  withdraw: withdrawSms,
};
