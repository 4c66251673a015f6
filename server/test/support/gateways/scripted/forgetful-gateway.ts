import type { GatewayAccount } from "#gateways/index.ts";
import { type PaidThere, type PayingGateway, type PayingOptions, payingGateway } from "./paying-gateway.ts";

/** A provider that makes another payment under a reference whenever it is requested again, as if the first request were forgotten. */
export interface ForgetfulGateway extends PayingGateway {
  /** The payments that a later one replaced, by their ids at the provider; all but the last one under a reference. */
  earlier: Map<string, PaidThere>;
  /** The buyer pays an earlier payment. */
  payEarlier(providerId: string): void;
}

/** Its pages work for this long, after which the payment is requested again. */
export const pageMs = 900_000;

export function forgetfulGateway(options: PayingOptions = {}): ForgetfulGateway {
  const gateway = payingGateway(options);
  const earlier = new Map<string, PaidThere>();
  const { open } = gateway.adapter;
  const adapter = { ...gateway.adapter, open: (...given: Parameters<typeof open>) => forgetting(open(...given), { gateway, earlier }) };
  return Object.assign(gateway, {
    adapter,
    earlier,
    payEarlier(providerId: string) {
      const payment = earlier.get(providerId);
      if (payment === undefined) throw new Error(`there was no payment ${providerId}`);
      const paid = { paid: payment.asked, captureId: `cap_${providerId}`, paidAt: new Date("2026-11-20T08:00:30.000Z") };
      earlier.set(providerId, { ...payment, ...paid, state: "succeeded", providerState: "PAID" });
    },
  });
}

function forgetting(account: GatewayAccount, given: { gateway: PayingGateway; earlier: Map<string, PaidThere> }): GatewayAccount {
  const { gateway, earlier } = given;
  return {
    ...account,
    async create(call, wanted) {
      const before = gateway.payments.get(wanted.reference);
      if (before !== undefined) {
        earlier.set(before.providerId ?? "", before);
        gateway.payments.delete(wanted.reference);
      }
      const made = await account.create(call, wanted);
      const providerId = `${made.providerId}_${earlier.size}`;
      gateway.change(wanted.reference, { providerId });
      return { ...made, providerId, actionExpiresAt: new Date(call.now().getTime() + pageMs) };
    },
    async query(call, key) {
      const { key: _key, wanted: _wanted, ...before } = earlier.get(key.providerId ?? "") ?? ({} as PaidThere);
      return before.providerId === undefined ? account.query(call, key) : before;
    },
  };
}
