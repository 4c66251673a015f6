import type { FrameLocator, Page } from "playwright-core";
import { afterAll } from "vitest";
import { serveSimulator } from "#app/simulator/serve-simulator.ts";
import { createCredential } from "#gateways/index.ts";
import { simulatorWords } from "#gateways/simulator/words.ts";
import type { Language } from "#platform/index.ts";
import { wechatpayMerchant } from "#providers/payment/wechatpay_merchant/adapter.ts";
import type { HttpSettings } from "#requests/index.ts";
import { type TestApp, testApp } from "#test/support/app/test-app.ts";
import { type PayShop, payShop } from "#test/support/payments/pay-shop.ts";
import { wechatpay } from "./wechatpay-shop.ts";

/** WeChat on an iPhone; `visitor` identifies its owner to the simulator. */
export const wechatAgent = (visitor = "somebody") =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50 NetType/WIFI Language/zh_CN visitor/${visitor}`;

/** An app whose only provider is WeChat Pay's simulator, reached over HTTP as the real one would be. */
export interface WechatApp {
  app: TestApp;
  /** The simulator's origin. */
  origin: string;
  /** URLs of WeChat that Tillpost requested, without their query. */
  readonly requests: string[];
  /** What the simulator remembers of a payment. */
  transaction(reference: string): Promise<{ way: string; openid: string; state: string }>;
  /** Applies an outcome to a payment there. */
  simulate(reference: string, outcome: "paid" | "silent"): Promise<void>;
  /** A project with an account there; `over` replaces fields of its form. */
  shop(over?: Record<string, string>): Promise<PayShop & { credential_id: string; fields: Record<string, string> }>;
}

/** The words of the simulator's page, by language. */
export const cashierWords = simulatorWords;

/** Pays on the simulator's page without any callback. */
export async function paySilently(cashier: Page | FrameLocator, lang: Language): Promise<void> {
  const { more, outcomes } = simulatorWords[lang];
  await cashier.getByText(more, { exact: true }).click();
  await cashier.getByRole("button", { name: outcomes.silent }).click();
}

let shops = 0;

/** Call it at the top of a file; closed when that ends. */
export async function wechatApp(given: { publicUrl?: string; http?: Partial<HttpSettings> } = {}): Promise<WechatApp> {
  const requests: string[] = [];
  let now = () => new Date();
  const simulator: typeof wechatpay = {
    ...wechatpay,
    handle(world, request) {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return wechatpay.handle(world, request);
    },
  };
  const served = await serveSimulator(simulator, { port: 0, now: () => now(), log: () => {} });
  afterAll(() => served.close());
  const app = await testApp({
    ...given,
    http: { perMinuteLinkInitiate: 1_000, perMinuteLinkReads: 10_000, ...given.http },
    gateways: { adapters: [wechatpayMerchant], urls: [`wechatpay_merchant=${served.origin}`] },
  });
  now = () => app.clock.now();
  return {
    app,
    requests,
    origin: served.origin,
    transaction: (reference) =>
      served.world.enter(async (world) => {
        const mchid = await world.documents.get<string>("transaction_number", reference);
        const found = await world.documents.get<{ way: string; openid: string; state: string }>("transaction", `${mchid}/${reference}`);
        if (found === null) throw new Error(`there is no payment ${reference}`);
        return found;
      }),
    simulate: (reference, outcome) => served.world.enter((world) => simulator.simulate(world, { reference, outcome })),
    async shop(over = {}) {
      shops += 1;
      const fields = { ...(await served.world.enter((world) => simulator.openAccount(world, `shop${shops}`))), ...over };
      const opened = await payShop(app);
      const { id } = await createCredential(app.ctx, opened.tenant, { gateway: "wechatpay_merchant", fields });
      requests.length = 0;
      return { ...opened, credential_id: id, fields };
    },
  };
}
