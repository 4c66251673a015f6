import { findEmail, prepareSecretEmail, withdrawEmails, writeSecretEmail } from "#email/index.ts";
import { type Ctx, holdsAddress } from "#platform/index.ts";
import { mailTexts } from "../words/write-code.ts";
import { type Carrier, type CodeMessage, failureOf, tagsOf } from "./carrier.ts";

const lost: ReadonlySet<string> = new Set(["bounced", "failed", "suppressed", "canceled"]);

export const emailCarrier: Carrier = {
  channel: "email",
  async prepare(ctx, tenant, message) {
    const { tier, to, seconds } = message;
    const email = { to, from: message.from ?? senderOf(ctx, message), ...mailTexts(message), expires_in: seconds, tags: tagsOf(message) };
    const ready = await prepareSecretEmail(ctx, tenant, { tier, email });
    return {
      async write(tx, pinned) {
        await writeSecretEmail(tx, pinned, ready);
        return ready.email.id;
      },
    };
  },
  async deliveryOf(ctx, tenant, id) {
    const { status, error } = (await findEmail(ctx, tenant, id)).email;
    if (status === "delivered") return "arrived";
    return lost.has(status) ? failureOf(status, error) : "open";
  },
  withdraw: withdrawEmails,
};

/** The shop's name at the platform's domain, which every project may send from. */
function senderOf({ mail }: Ctx, { brand }: CodeMessage): string {
  const address = `verify@${mail.domain}`;
  const name = brand.replace(/["\\]/g, "");
  return name === "" || holdsAddress(name, address) ? address : `"${name}" <${address}>`;
}
