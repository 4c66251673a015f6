import { generateKeyPairSync } from "node:crypto";
import type {
  GatewayAccount,
  GatewayCall,
  NewGatewayPayment,
  NewGatewayRefund,
  ProviderSimulator,
  SimulatedOutcome,
} from "#gateways/index.ts";
import { wechatpayMerchant } from "#providers/payment/wechatpay_merchant/adapter.ts";
import { wechatpayMerchantSimulator } from "#providers/payment/wechatpay_merchant/simulator.ts";
import { type SimulatedWorld, simulatedWorld } from "./simulated-world.ts";

/** Keys that this process already made: a pair takes a good part of a second, and every test has its own provider. */
const keys = new Map<string, string>();

function keyOf(name: string): string {
  const cached = keys.get(name);
  if (cached !== undefined) return cached;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  keys.set(name, pem);
  return pem;
}

/** A WeChat Pay whose keys aren't generated for every test: of numbered accounts, every third has the same ones. */
export const wechatpay: ProviderSimulator = {
  ...wechatpayMerchantSimulator,
  async openAccount(world, account) {
    for (const purpose of ["merchant", "public_key", "certificate_1", "certificate_2"]) {
      const owner = account.replace(/\d+$/, (number) => String(Number(number) % 3));
      const shared = purpose.startsWith("certificate") ? purpose : `${owner}/${purpose}`;
      await world.documents.put("key", `${account}/${purpose}`, keyOf(shared));
    }
    return wechatpayMerchantSimulator.openAccount(world, account);
  },
};

/** The same for merchants that still have platform certificates, and no public key of WeChat Pay's. */
export const wechatpayWithCertificates: ProviderSimulator = {
  ...wechatpay,
  async openAccount(world, account) {
    const { public_key_id, public_key, ...fields } = await wechatpay.openAccount(world, account);
    return fields;
  },
};

export interface WechatShop {
  world: SimulatedWorld;
  fields: Record<string, string>;
  account: GatewayAccount;
  call: GatewayCall;
}

/** A shop with an account at WeChat Pay; `over` replaces fields of its form. */
export async function openShop(over: Record<string, string> = {}, simulator = wechatpay): Promise<WechatShop> {
  const world = simulatedWorld();
  const fields = { ...(await simulator.openAccount(world, "shop")), ...over };
  return { world, fields, account: wechatpayMerchant.open(fields, { livemode: false }), call: world.call(simulator) };
}

let made = 0;
export const nextNumber = (prefix: string) => `${prefix}_${String((made += 1)).padStart(26, "0")}`;

export function newPayment({ world }: WechatShop, over: Partial<NewGatewayPayment> = {}): NewGatewayPayment {
  return {
    reference: nextNumber("ps"),
    amount: { amount_minor: 8_800, currency: "CNY" },
    title: "Tea",
    notifyUrl: "https://shop.test/api/payments/wechatpay_merchant/webhook/gc_1",
    returnUrl: "https://shop.test/pay/pl_token?from=wechat&x=1",
    cancelUrl: "https://shop.test/pay/pl_token",
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    buyer: { ip: "203.0.113.7", locale: "zh-CN", device: "desktop", openid: null },
    metadata: {},
    ...over,
  };
}

export function newRefund(payment: NewGatewayPayment, over: Partial<NewGatewayRefund> = {}): NewGatewayRefund {
  return {
    reference: payment.reference,
    providerId: null,
    captureId: null,
    refundReference: nextNumber("rf"),
    amount: { amount_minor: 300, currency: "CNY" },
    total: payment.amount,
    reason: "售罄",
    notifyUrl: payment.notifyUrl,
    ...over,
  };
}

/** A payment with WeChat Pay, and its outcome. */
export async function paidShop(outcome: SimulatedOutcome | null = "paid", simulator = wechatpay) {
  const shop = await openShop({}, simulator);
  const request = newPayment(shop);
  const created = await shop.account.create(shop.call, request);
  if (outcome !== null) await simulator.simulate(shop.world, { reference: request.reference, outcome });
  return { ...shop, request, created, key: { reference: request.reference, providerId: null } };
}

/** A call whose responses pass through `change` on their way to the shop. */
export function changing(call: GatewayCall, change: (answer: Response, url: string) => Response | Promise<Response>): GatewayCall {
  return { ...call, fetch: async (input, init) => change(await call.fetch(input, init), String(input)) };
}
