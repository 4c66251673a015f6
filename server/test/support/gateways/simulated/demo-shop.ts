import { deliverCallback } from "#app/deliver-callback.ts";
import { gateways } from "#app/gateways.ts";
import type { Answer } from "#test/support/app/api.ts";
import type { TestGateways } from "#test/support/app/context.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";

/** Every gateway of the product, each simulated in TEST as soon as a payment uses it. */
export const demoGateways: TestGateways = { adapters: gateways, deliver: deliverCallback };

/** A currency that each gateway takes. */
export const currencyOf = (gateway: string): string =>
  gateways.find(({ manifest }) => manifest.method.gateway === gateway)?.manifest.method.currencies === "any"
    ? "EUR"
    : (["EUR", "CNY", "INR"].find((currency) => takes(gateway, currency)) ?? "EUR");

function takes(gateway: string, currency: string): boolean {
  const currencies = gateways.find(({ manifest }) => manifest.method.gateway === gateway)?.manifest.method.currencies ?? [];
  return currencies === "any" || currencies.includes(currency);
}

export const gatewayNames = gateways.map(({ manifest }) => manifest.method.gateway);

/** A payment through a simulated gateway, and the path of the page on which it is paid. */
export interface DemoPayment {
  id: string;
  order_id: string;
  account: string;
  reference: string;
  page: string;
}

let made = 0;

/** Starts a payment as a merchant's program does, in a project that hasn't set up anything. */
export async function startDemoPayment(app: TestApp, tenant: TestTenant, gateway: string): Promise<DemoPayment> {
  const reference = `INV-${(made += 1)}`;
  const body = { reference, amount_minor: 9_900, currency: currencyOf(gateway), return_url: "https://shop.example/thanks" };
  const answer = await app.api(tenant.key).post(`/api/v1/projects/${tenant.project_id}/gateways/${gateway}/payments`, body);
  if (answer.status !== 201) throw new Error(answer.text);
  const { id, order_id, account, next_action } = answer.body;
  return { id, order_id, account, reference, page: await pageBehind(app, next_action.url ?? next_action.qr_payload) };
}

/** Where a browser that opens an address ends up: some gateways redirect it once. */
async function pageBehind(app: TestApp, address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const answer = await app.api().get(pathname + search);
  return answer.status === 302 ? pageBehind(app, answer.headers["location"] ?? "") : pathname + search;
}

/** Chooses an outcome on a simulated provider's page, as its form does, or a script. */
export function choose(app: TestApp, page: string, outcome: string): Promise<Answer> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return app.api().call("POST", page, { headers, payload: new URLSearchParams({ outcome }).toString() });
}

/** The order as the API shows it now. */
export async function orderNow(app: TestApp, tenant: TestTenant, id: string) {
  return (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/orders/${id}`)).body;
}
