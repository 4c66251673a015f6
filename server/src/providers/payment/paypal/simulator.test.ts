import { expect, test } from "vitest";
import { openGatewayShop } from "#test/support/gateways/contract/provider-shop.ts";
import { paypal } from "./adapter.ts";
import { paypalSimulator } from "./simulator.ts";

async function openPage() {
  const shop = await openGatewayShop(paypal, paypalSimulator);
  const payment = shop.payment(
    { amount_minor: 1_234, currency: "EUR" },
    { title: "<b>Tea</b>", returnUrl: "https://shop.test/pay/pl_1?x=1" },
  );
  const { action, providerId } = await shop.account.create(shop.call, payment);
  const url = action.type === "redirect" ? action.url : "";
  const read = () => paypalSimulator.handle(shop.world, new Request(url));
  const post = (outcome: string) =>
    paypalSimulator.handle(shop.world, new Request(url, { method: "POST", body: new URLSearchParams({ outcome }) }));
  const key = { reference: payment.reference, providerId };
  return { ...shop, url, read, post, key };
}

test("the buyer's page shows the amount and everything that can happen now, and escapes titles", async () => {
  const { read, post, account, call, key } = await openPage();
  const offered = async () => [...(await (await read()).text()).matchAll(/name="outcome" value="(\w+)"/g)].map(([, name]) => name).sort();
  const text = await (await read()).text();
  for (const shown of ["<span>€</span>12.34", "PAYER_ACTION_REQUIRED", "&#60;b&#62;Tea"]) expect(text).toContain(shown);
  expect(text).not.toContain("<b>Tea");
  expect(await offered()).toEqual(paypalSimulator.outcomes.filter((one) => !one.startsWith("dispute")).sort());
  await post("processing");
  expect(await offered()).toEqual([]);
  await account.capture?.(call, key);
  expect(await offered()).toEqual(["declined", "paid"]);
  await post("paid");
  expect(await offered()).toEqual(["disputed"]);
  await post("disputed");
  expect(await offered()).toEqual(["dispute_lost", "dispute_won"]);
});

test.each([
  ["paid", (id: string) => `https://shop.test/pay/pl_1?x=1&token=${id}&PayerID=`],
  ["canceled", (id: string) => `https://shop.test/pay/pl_1?canceled=1&token=${id}`],
  ["declined", (id: string) => `https://simulator.test/checkoutnow?token=${id}`],
])("a buyer for whom it is %s is redirected", async (outcome, expected) => {
  const { post, key } = await openPage();
  const answer = await post(outcome);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toContain(expected(key.providerId ?? ""));
});

test("what can't happen is refused, and changes nothing", async () => {
  const { world, post, read, account, call, key } = await openPage();
  for (const outcome of ["underpaid", "disputed", "", "__proto__"]) expect((await post(outcome)).status).toBe(409);
  expect((await account.query(call, key)).state).toBe("pending");
  expect((await read()).status).toBe(200);
  expect((await paypalSimulator.handle(world, new Request("https://simulator.test/checkoutnow?token=NONE"))).status).toBe(404);
});
