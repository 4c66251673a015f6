import type { SimulatorWorld } from "#gateways/index.ts";

/** A refund in a provider's own records. */
export interface ProviderRefund {
  /** Our reference of the refund; null if the provider has none. */
  reference: string | null;
  amount_minor: number;
  state: "waiting" | "paid_out" | "failed";
}

type Reader = (world: SimulatorWorld) => Promise<ProviderRefund[]>;

interface StripeRefund {
  metadata: Record<string, string>;
  amount: number;
  status: string;
}
interface MollieRefund {
  metadata: Record<string, string> | null;
  amount: { value: string };
  status: string;
}
interface PaypalOrder {
  refunds: { invoiceId: string | null; amount: { value: string }; status: string }[];
}
interface RazorpayLink {
  payments: { refunds: { receipt: string | null; amount: number; status: string }[] }[];
}
interface WechatRefund {
  refundNo: string;
  amount: number;
  status: string;
}
interface AlipayTrade {
  refunds: { requestNo: string; fen: number }[];
}
interface BtcpayPullPayment {
  name: string;
  /** In ten-thousandths of the currency's unit. */
  amount: number;
  isArchived: boolean;
  payouts: { state: string }[];
}

const ourReference = /^rf_[0-9a-z]{26}$/;
const ownAmong = (values: readonly unknown[]) => values.map(String).find((value) => ourReference.test(value)) ?? null;
const cents = (value: string) => Math.round(Number(value) * 100);
const stateOf = (status: string, done: string, failed: string): ProviderRefund["state"] =>
  status === done ? "paid_out" : status === failed ? "failed" : "waiting";

/**
 * How each provider records refunds. Its records are read directly and not through our adapter, which might not see a refund that was made
 * twice.
 */
const readers: Readonly<Record<string, Reader>> = {
  stripe: async ({ documents }) =>
    (await documents.list<StripeRefund>("refund")).map(({ metadata, amount, status }) => ({
      reference: ownAmong(Object.values(metadata)),
      amount_minor: amount,
      state: stateOf(status, "succeeded", "failed"),
    })),
  mollie: async ({ documents }) =>
    (await documents.list<MollieRefund>("refund")).map(({ metadata, amount, status }) => ({
      reference: ownAmong(Object.values(metadata ?? {})),
      amount_minor: cents(amount.value),
      state: stateOf(status, "refunded", "failed"),
    })),
  paypal: async ({ documents }) =>
    (await documents.list<PaypalOrder>("order")).flatMap(({ refunds }) =>
      refunds.map(({ invoiceId, amount, status }) => ({
        reference: invoiceId,
        amount_minor: cents(amount.value),
        state: stateOf(status, "COMPLETED", "FAILED"),
      })),
    ),
  razorpay: async ({ documents }) =>
    (await documents.list<RazorpayLink>("link")).flatMap(({ payments }) =>
      payments.flatMap(({ refunds }) =>
        refunds.map(({ receipt, amount, status }) => ({
          reference: receipt,
          amount_minor: amount,
          state: stateOf(status, "processed", "failed"),
        })),
      ),
    ),
  wechatpay_merchant: async ({ documents }) =>
    (await documents.list<WechatRefund>("refund")).map(({ refundNo, amount, status }) => ({
      reference: refundNo,
      amount_minor: amount,
      state: stateOf(status, "SUCCESS", "ABNORMAL"),
    })),
  alipay_merchant: async ({ documents }) =>
    (await documents.list<AlipayTrade>("trade")).flatMap(({ refunds }) =>
      refunds.map(({ requestNo, fen }) => ({ reference: requestNo, amount_minor: fen, state: "paid_out" as const })),
    ),
  btcpay: async ({ documents }) =>
    (await documents.list<BtcpayPullPayment>("pullPayment")).map(({ name, amount, isArchived, payouts }) => ({
      reference: name,
      amount_minor: amount / 100,
      state: payouts.some(({ state }) => state === "Completed") ? "paid_out" : isArchived ? "failed" : "waiting",
    })),
};

/** Every refund that a provider has made or was asked for. */
export function providerRefunds(slug: string, world: SimulatorWorld): Promise<ProviderRefund[]> {
  const read = readers[slug];
  if (read === undefined) throw new Error(`no one has said how ${slug} records refunds`);
  return read(world);
}
