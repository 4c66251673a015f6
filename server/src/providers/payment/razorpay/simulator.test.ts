import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { openGatewayShop } from "#test/support/gateways/contract/provider-shop.ts";
import { razorpay } from "./adapter.ts";
import { razorpaySimulator } from "./simulator.ts";

async function openPage() {
  const shop = await openGatewayShop(razorpay, razorpaySimulator);
  const payment = shop.payment(
    { amount_minor: 12_340, currency: "KWD" },
    { title: "<b>Tea</b>", returnUrl: "https://shop.test/pay/pl_1?x=1" },
  );
  const { action, providerId } = await shop.account.create(shop.call, payment);
  const url = action.type === "redirect" ? action.url : "";
  const read = () => razorpaySimulator.handle(shop.world, new Request(url));
  const post = (outcome: string) =>
    razorpaySimulator.handle(shop.world, new Request(url, { method: "POST", body: new URLSearchParams({ outcome }) }));
  return { ...shop, url, read, post, key: { reference: payment.reference, providerId } };
}

test("the buyer's page shows the amount and everything that can happen now, and escapes titles", async () => {
  const { read, post } = await openPage();
  const offered = async () => [...(await (await read()).text()).matchAll(/name="outcome" value="(\w+)"/g)].map(([, name]) => name).sort();
  const text = await (await read()).text();
  for (const shown of ["<span>KWD</span>12.340", "Status: <code>created</code>", "&#60;b&#62;Tea"]) expect(text).toContain(shown);
  expect(text).not.toContain("<b>Tea");
  expect(await offered()).toEqual(razorpaySimulator.outcomes.filter((one) => !one.startsWith("dispute")).sort());
  await post("processing");
  expect(await offered()).toEqual(["auto_refunded", "declined", "paid"]);
  await post("paid");
  expect(await offered()).toEqual(["disputed"]);
  await post("disputed");
  expect(await offered()).toEqual(["dispute_lost", "dispute_won"]);
});

test("a buyer who paid is redirected back with a signature over what the shop receives", async () => {
  const { post, key, fields, account, call } = await openPage();
  const answer = await post("paid");
  expect(answer.status).toBe(303);
  const { origin, pathname, searchParams } = new URL(answer.headers.get("location") ?? "");
  const param = (name: string) => searchParams.get(`razorpay_${name}`) ?? "";
  const { captureId } = await account.query(call, key);
  const parts = [param("payment_link_id"), param("payment_link_reference_id"), param("payment_link_status"), param("payment_id")];
  expect([origin + pathname, searchParams.get("x"), ...parts]).toEqual([
    "https://shop.test/pay/pl_1",
    "1",
    key.providerId,
    key.reference,
    "paid",
    captureId,
  ]);
  expect(param("signature")).toBe(
    createHmac("sha256", fields["key_secret"] ?? "")
      .update(parts.join("|"))
      .digest("hex"),
  );
});

test("a buyer whose try failed remains on the page", async () => {
  const { post, url } = await openPage();
  expect((await post("declined")).headers.get("location")).toBe(url);
});

test("what can't happen is refused, and changes nothing", async () => {
  const { world, post, read, account, call, key } = await openPage();
  for (const outcome of ["underpaid", "disputed", "", "__proto__"]) expect((await post(outcome)).status).toBe(409);
  expect((await account.query(call, key)).state).toBe("pending");
  expect((await read()).status).toBe(200);
  expect((await razorpaySimulator.handle(world, new Request("https://simulator.test/i/plink_none"))).status).toBe(404);
});

test("a link that ended unpaid takes no more payments, except one that a bank confirms late", async () => {
  const { post, account, call, key } = await openPage();
  expect(await account.close?.(call, key)).toBe("closed");
  for (const outcome of ["paid", "silent", "duplicate", "out_of_order", "processing", "declined"])
    expect((await post(outcome)).status).toBe(409);
  expect((await account.query(call, key)).state).toBe("canceled");
  await post("late");
  expect((await account.query(call, key)).state).toBe("succeeded");
});
