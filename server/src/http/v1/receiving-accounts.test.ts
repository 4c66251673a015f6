import { describe, expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { bookFaults, type ReceiptShop, receiptShops, shopCode } from "#test/support/payments/receipt-shop.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const app = await testApp();
const shopWith = receiptShops(app);
const matching = { mode: "unique_amount", max_offset_minor: 20 } as const;
const otherCode = `${shopCode}Two`;
const path = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/collection-profiles/wechat`;
const put = (shop: TestTenant, body: object) => app.api(shop.key).put(path(shop), { matching, ...body });
const accountOf = async (shop: TestTenant, body: object) => (await put(shop, body)).body.account_ref;
const shopOnSameAccount = (shop: ReceiptShop, qr_payload = otherCode) =>
  shopWith(matching, { qr_payload, tenant: { merchant_id: shop.merchant_id } });
const picture = async (shop: TestTenant) =>
  (await app.api(shop.key).upload(`/api/v1/projects/${shop.project_id}/assets/upload`, await photo(96, 96), { purpose: "collection_qr" }))
    .body.id;

/** Whether both shops ask for different amounts, and money that either project reports pays the right order. */
async function shareOneAccount(here: ReceiptShop, there: ReceiptShop, amount: number) {
  const [one, other] = [await here.paying(amount), await there.paying(amount)];
  expect(other.payable).not.toBe(one.payable);
  await here.receipt({ amount_minor: other.payable });
  await there.receipt({ amount_minor: one.payable });
  expect([(await here.order(one.order_id)).status, (await there.order(other.order_id)).status]).toEqual(["paid", "paid"]);
}

describe("the account that a code pays into", () => {
  test("another code is automatically another account", async () => {
    const here = await shopWith(matching);
    const there = await shopOnSameAccount(here);
    const shown = [here, there].map(async (shop) => (await app.api(shop.key).get(path(shop))).body.account_ref);
    expect(await Promise.all(shown)).toEqual(["main", "main-2"]);
    const [one, other] = [await here.paying(4400), await there.paying(4400)];
    expect(other.payable).toBe(one.payable);
    await here.receipt({ amount_minor: one.payable });
    expect([(await here.order(one.order_id)).status, (await there.order(other.order_id)).status]).toEqual(["paid", "unpaid"]);
  });

  test("two codes of one person are one account once account_ref says so", async () => {
    const here = await shopWith(matching);
    const there = await shopOnSameAccount(here);
    expect(await put(there, { qr_payload: otherCode, account_ref: "main" })).toMatchObject({ status: 200, body: { account_ref: "main" } });
    await shareOneAccount(here, there, 4500);
    expect(await bookFaults(app)).toEqual([]);
  });

  test("what was requested before two accounts turned out to be one is known in both projects, and an amount requested of two people waits", async () => {
    const here = await shopWith(matching);
    const there = await shopOnSameAccount(here);
    const [one, other, third] = [await here.paying(4800), await there.paying(4800), await there.paying(4800)];
    expect([one.payable, other.payable, third.payable]).toEqual([4799, 4799, 4798]);
    expect(await accountOf(there, { qr_payload: otherCode, account_ref: "main" })).toBe("main");
    expect((await here.receipt({ amount_minor: 4799 })).receipt.status).toBe("unmatched");
    expect((await here.paying(4800)).payable).toBe(4797);
    await here.receipt({ amount_minor: 4798 });
    const statuses = [here.order(one.order_id), there.order(other.order_id), there.order(third.order_id)].map(
      async (order) => (await order).status,
    );
    expect(await Promise.all(statuses)).toEqual(["unpaid", "unpaid", "paid"]);
    expect(await bookFaults(app)).toEqual([]);
  });

  test("a changed code remains in its account, with all that is held there, until another is specified", async () => {
    const shop = await shopWith(matching);
    const before = await shop.paying(4600);
    expect(await accountOf(shop, { qr_payload: otherCode })).toBe("main");
    const after = await shop.paying(4600);
    expect(after.payable).toBe(before.payable - 1);
    await shop.receipt({ amount_minor: before.payable });
    expect((await shop.order(before.order_id)).status).toBe("paid");
    expect(await accountOf(shop, { qr_payload: `${otherCode}3`, account_ref: "second" })).toBe("second");
    expect((await shop.paying(4600)).payable).toBe(before.payable);
    expect(await accountOf(shop, { qr_payload: `${otherCode}4` })).toBe("second");
  });

  test("a code that another project of the merchant has belongs to that project's account, whatever it was before", async () => {
    const here = await shopWith(matching);
    const there = await shopOnSameAccount(here);
    expect(await accountOf(there, { qr_payload: shopCode })).toBe("main");
    await shareOneAccount(here, there, 4700);
    expect(await put(there, { qr_payload: shopCode, account_ref: "elsewhere" })).toMatchObject({
      status: 400,
      body: { error: { code: "parameter_conflict", param: "account_ref" } },
    });
    const stranger = await shopWith(matching);
    expect(await accountOf(stranger, { qr_payload: shopCode, account_ref: "elsewhere" })).toBe("elsewhere");
    expect(await bookFaults(app)).toEqual([]);
  });

  test("a picture without a readable text must specify its account, unless it is the merchant's first", async () => {
    const here = await app.tenant();
    const there = await app.tenant({ merchant_id: here.merchant_id });
    expect(await accountOf(here, { qr_asset_id: await picture(here), allow_image_only: true })).toBe("main");
    const image = { qr_asset_id: await picture(there), allow_image_only: true };
    const refused = await put(there, image);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: "parameter_missing", param: "account_ref" } } });
    expect(refused.body.error.message).toContain("main");
    expect(await accountOf(there, { ...image, account_ref: "main" })).toBe("main");
    expect(await accountOf(there, image)).toBe("main");
    expect(await accountOf(there, { ...image, account_ref: "second" })).toBe("second");
  });
});
