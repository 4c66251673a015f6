import { beforeAll, describe, expect, it } from "vitest";
import { type EmailBundle, emailChannel, findEmail, listEmails } from "#email/index.ts";
import { addMember, createPerson, type Role } from "#identity/index.ts";
import { addSuppression } from "#messaging/suppression/add-suppression.ts";
import { createOrder, failRefund, refundOrder, reportPayment } from "#orders/index.ts";
import { notice, ownProject, reviveNotices } from "#platform/index.ts";
import { changeProject } from "#projects/index.ts";
import { reviewOrder } from "#reconciliation/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { countNotices, listNotices } from "#test/support/mail/notices.sql.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { sendNotices } from "./index.ts";

let losesDatabase = false;
const at = await testApp({
  startsAt: "2026-11-20T06:00:00.000Z",
  probe: (text) => {
    if (losesDatabase && /^\s*update notices set state/.test(text)) throw Object.assign(new Error("gone"), { code: "CONNECTION_CLOSED" });
  },
});
const { ctx } = at;
let shop: TestTenant;

const person = async (email: string, more: { role?: Role; language?: "en" | "zh" } = {}) => {
  const made = await createPerson(ctx, {
    email,
    name: email.split("@")[0] ?? "",
    password: "correct horse battery",
    language: more.language ?? "en",
    passwordWork: "light",
  });
  if (more.role !== undefined) await addMember(ctx, { merchant_id: shop.merchant_id, person_id: made.id, role: more.role });
  return made;
};
const leave = (kind: string, recipient: string, params: object) => ctx.transact((tx) => notice(tx, ctx, { kind, recipient, params }));

/** What was written since the last call, oldest first. */
async function mails(): Promise<EmailBundle[]> {
  await sendNotices(ctx);
  const { rows } = await listEmails(ctx, ownProject, { limit: 100, filters: {} });
  const newEmails = rows.filter(({ email }) => !seen.has(email.id)).reverse();
  for (const { email } of newEmails) seen.add(email.id);
  return newEmails;
}
const seen = new Set<string>();
const readers = (bundles: EmailBundle[]) => bundles.map(({ recipients }) => recipients[0]?.address).sort();

beforeAll(async () => {
  shop = await at.tenant({ livemode: true });
  await person("owner@corner.books", { role: "owner" });
  await person("dev@corner.books", { role: "developer", language: "zh" });
  await person("viewer@corner.books", { role: "viewer" });
  await mails();
});

const reset = { language: "en", url: `${ctx.publicUrl}/reset-password?token=abc` };

describe("a notice becomes an email", () => {
  it("to an address, in its known language, with the headers of an automated email", async () => {
    await leave("password_reset", "wang@example.cn", { ...reset, language: "zh" });
    const [sent] = await mails();
    expect(sent?.email).toMatchObject({
      subject: "重置您的密码",
      from_address: "no-reply@tillpost.example",
      category: "transactional",
      status: "queued",
    });
    const room = mailRoom(ctx);
    await room.settle();
    const source = String(room.transport.emails.find(({ email_id }) => email_id === sent?.email.id)?.raw);
    expect(source).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    expect(source).toMatch(/^List-ID: .*<notices\.tillpost\.example>\r?$/m);
    expect(source).not.toMatch(/^List-Unsubscribe/m);
    expect(source).toMatch(/multipart\/alternative/);
  });

  it("to the people of a merchant by their roles, each in their own language and unable to see the others", async () => {
    await leave("webhook.disabled", shop.merchant_id, { ...shop, webhook_id: "we_1", url: "https://shop.example/hook", reason: "gone" });
    const sent = await mails();
    expect(readers(sent)).toEqual(["dev@corner.books", "owner@corner.books"]);
    expect(sent.map(({ email }) => email.subject).sort()).toEqual(["Webhook 已停用", "Your webhook was disabled"].sort());
  });

  it("only to the owner when LIVE payments go to another code", async () => {
    await leave("collection_code_changed", shop.merchant_id, {
      project_id: shop.project_id,
      channel: "wechat",
      changed_by: "usr_x",
      at: ctx.now(),
    });
    expect(readers(await mails())).toEqual(["owner@corner.books"]);
  });

  it("to the operators when it is about the installation itself", async () => {
    await createPerson(ctx, {
      email: "op@till.post",
      name: "Op",
      password: "correct horse battery",
      passwordWork: "light",
      is_operator: true,
    });
    await leave("domain_lost", ownProject.project_id, {
      ...ownProject,
      domain_id: "dom_1",
      domain: "till.post",
      missing: ["TXT _tillpost.till.post"],
    });
    expect(readers(await mails())).toEqual(["op@till.post"]);
  });

  it("once, however many workers run and wherever one of them dies", async () => {
    await leave("sign_up_again", "once@corner.books", { language: "en", url: `${ctx.publicUrl}/sign-in` });
    losesDatabase = true;
    await expect(sendNotices(ctx)).rejects.toThrow("gone");
    losesDatabase = false;
    expect(readers(await mails())).toEqual(["once@corner.books"]);
    at.clock.advance(60_001);
    expect(await reviveNotices(ctx)).toBe(1);
    await Promise.all(Array.from({ length: 6 }, () => sendNotices(ctx)));
    expect(await mails()).toEqual([]);
    expect(await listNotices(ctx.db, "sign_up_again")).toMatchObject([{ state: "sent", params: "" }]);
  });

  it("never without a recipient, and records why it wasn't sent", async () => {
    await leave("merchant_rejected", (await at.tenant()).merchant_id, {});
    await leave("no_such_kind", "a@corner.books", {});
    await leave("password_reset", "a@corner.books", { url: 7 });
    await leave("password_reset", "not an address@", reset);
    expect(await mails()).toEqual([]);
    const ends = ["merchant_rejected", "no_such_kind", "password_reset"].map(async (kind) =>
      (await listNotices(ctx.db, kind)).map(({ state, reason }) => [state, reason]),
    );
    expect(await Promise.all(ends)).toEqual([
      [["skipped", "nobody"]],
      [["failed", "unknown_kind"]],
      [
        ["sent", null],
        ["failed", "unknown_params"],
        ["failed", "recipient_invalid"],
      ],
    ]);
  });

  it("never with a link that leads elsewhere", async () => {
    for (const url of ["https://evil.example/reset", "javascript:alert(1)", "//evil.example", `${ctx.publicUrl}@evil.example/`]) {
      await leave("email_verification", "elsewhere@corner.books", { language: "en", url });
    }
    expect(await mails()).toEqual([]);
    expect((await listNotices(ctx.db, "email_verification")).map(({ reason }) => reason)).toEqual(Array(4).fill("link_elsewhere"));
  });
});

describe("waiting proofs", () => {
  const proof = async (tenant: TestTenant, reference: string) => {
    const { order } = await createOrder(ctx, tenant, { amount_minor: 9_900, currency: "CNY", reference });
    await reportPayment(ctx, tenant, { order_id: order.id, gateway: "wechatpay" });
    return order;
  };

  it("cause one email for five in a minute, to the reviewers, which omits what was reviewed in the meantime", async () => {
    const { tenant } = await payShop(at, { livemode: true, merchant_id: shop.merchant_id });
    await person("review@corner.books", { role: "reviewer" });
    await mails();
    const orders = [];
    for (let n = 0; n < 5; n += 1) {
      orders.push(await proof(tenant, `INV-${n}`));
      at.clock.advance(10_000);
    }
    expect(await mails()).toEqual([]);
    await reviewOrder(ctx, tenant, { order_id: orders[0]?.id ?? "", decision: "approve" });
    at.clock.advance(10_000);
    const sent = await mails();
    expect(readers(sent)).toEqual(["review@corner.books"]);
    expect(sent[0]?.email.subject).toBe("4 payments to review");
    const { body } = await findEmail(ctx, ownProject, sent[0]?.email.id ?? "");
    expect(body?.text).toContain("INV-1: ¥99.00\nINV-2: ¥99.00");
    expect(body?.text).not.toContain("INV-0");
    // By its ID: another merchant of the reader can have a project with this slug.
    expect(body?.text).toContain(`/dashboard/${tenant.project_id}/live/review`);
  });

  it("are separated by environment, and TEST says so", async () => {
    const tenant = { ...shop, livemode: false };
    await leave("proof_waiting", shop.project_id, { order_id: (await proof(tenant, "T-1")).id, livemode: false });
    at.clock.advance(60_000);
    expect((await mails()).map(({ email }) => email.subject)).toEqual(["[TEST] Review ¥99.00 for T-1"]);
  });

  it("aren't reported at all when no one needs to review them any more", async () => {
    const tenant = await at.tenant({ merchant_id: shop.merchant_id });
    await mails();
    const order = await proof(tenant, "gone");
    await reviewOrder(ctx, tenant, { order_id: order.id, decision: "reject", reason_code: "not_received" });
    at.clock.advance(60_000);
    expect(await mails()).toEqual([]);
  });
});

describe("a buyer's receipt", () => {
  const pay = async (input: { livemode?: boolean; wants?: boolean; email?: string | null; currency?: string; locale?: string }) => {
    const { tenant, order } = await payShop(at, { livemode: input.livemode ?? true, merchant_id: shop.merchant_id });
    const settings = { buyer_receipts: input.wants ?? true, branding: { display_name: "Lantern & Co", support_email: "help@lantern.cn" } };
    await changeProject(ctx, { project_id: tenant.project_id, settings, if_version: null });
    const made = await order({
      reference: "INV-7",
      customer: { email: input.email === undefined ? "buyer@mail.cn" : input.email },
      locale: input.locale ?? "auto",
    });
    await reportPayment(ctx, tenant, { order_id: made.order.id, gateway: "wechatpay" });
    await reviewOrder(ctx, tenant, { order_id: made.order.id, decision: "approve" });
    return { ...made, tenant };
  };

  it("is sent once if the merchant wants it, under the merchant's name, in the order's language, with a link to the receipt", async () => {
    await mails();
    const { token } = await pay({ locale: "en" });
    const [sent, ...more] = (await mails()).filter(({ email }) => email.tags[0]?.value === "order_paid");
    expect(more).toEqual([]);
    expect(sent?.email).toMatchObject({ subject: "Receipt from Lantern & Co: ¥99.00", from_address: "no-reply@tillpost.example" });
    expect(sent?.email.from_text).toBe('"Lantern & Co" <no-reply@tillpost.example>');
    expect(sent?.email.addressees).toMatchObject({ to: "buyer@mail.cn", reply_to: "help@lantern.cn" });
    const { body } = await findEmail(ctx, ownProject, sent?.email.id ?? "");
    expect(body?.text).toContain(`/pay/${token}/receipt`);
    expect(body?.text).toContain("Payment method: WeChat Pay");
  });

  it("is followed by an email about each successful refund, with what was paid if only a part was refunded", async () => {
    const { order, tenant } = await pay({ locale: "en" });
    await mails();
    await refundOrder(ctx, tenant, { order_id: order.id, amount_minor: 2300 });
    const failed = await refundOrder(ctx, tenant, { order_id: order.id, amount_minor: 100 });
    await failRefund(ctx, tenant, { refund_id: failed.id, failure_code: "not_sent" });
    const [sent, ...more] = (await mails()).filter(({ email }) => email.tags[0]?.value === "order_refunded");
    expect(more).toEqual([]);
    expect(sent?.email).toMatchObject({ subject: "Refund from Lantern & Co: ¥23.00" });
    const { body } = await findEmail(ctx, ownProject, sent?.email.id ?? "");
    expect(body?.text).toContain("You paid: ¥99.00");
  });

  it("is followed by an email about money in another currency than the order's, in that currency", async () => {
    const { order, tenant } = await pay({ locale: "en" });
    await mails();
    const refund = await refundOrder(ctx, tenant, { order_id: order.id, amount_minor: 2300 });
    await runStatement(ctx.db, "update refunds set currency = 'JPY' where id = ?", refund.id);
    const [sent] = (await mails()).filter(({ email }) => email.tags[0]?.value === "order_refunded");
    expect(sent?.email.subject).toMatch(/2,300/);
  });

  it("is followed by an email about a refund that was returned after its notification, and the receipt says so until it is refunded again", async () => {
    const { order, tenant, token } = await pay({ locale: "en" });
    const refund = await refundOrder(ctx, tenant, { order_id: order.id, amount_minor: 2300 });
    await mails();
    await failRefund(ctx, tenant, { refund_id: refund.id, failure_code: "returned" });
    const [sent, ...more] = (await mails()).filter(({ email }) => email.tags[0]?.value === "refund_returned");
    expect(more).toEqual([]);
    expect(sent?.email).toMatchObject({ subject: "Your refund from Lantern & Co couldn't be delivered: ¥23.00" });
    expect((await findEmail(ctx, ownProject, sent?.email.id ?? "")).body?.text).toContain(`/pay/${token}/receipt`);
    const receipt = async () => (await (await at.server()).inject(`/pay/${token}/receipt`)).body;
    expect(await receipt()).toMatch(/refund of [^<]*23\.00 couldn/);
    await refundOrder(ctx, tenant, { order_id: order.id, amount_minor: 2300 });
    expect(await receipt()).not.toContain("be delivered");
  });

  it.each([
    ["the merchant did not ask for it", { wants: false }],
    ["the order is TEST", { livemode: false }],
    ["the buyer gave no address", { email: null }],
  ])("isn't written if %s", async (_why, input) => {
    await mails();
    const before = await countNotices(ctx.db, "order_paid");
    await pay(input);
    expect(await countNotices(ctx.db, "order_paid")).toBe(before);
  });

  it("isn't sent to a person who reported one as spam, while a new password still reaches them; a missing mailbox gets neither", async () => {
    const suppress = (address: string, reason: "complaint" | "bounce") =>
      ctx.transact((tx) =>
        addSuppression(tx, ctx, { tenant: ownProject, channel: emailChannel, address, reason, source_id: null, expires_at: null }),
      );
    await suppress("annoyed@mail.cn", "complaint");
    await suppress("gone@mail.cn", "bounce");
    await mails();
    await pay({ email: "annoyed@mail.cn" });
    await leave("password_reset", "annoyed@mail.cn", reset);
    await leave("password_reset", "gone@mail.cn", reset);
    const sent = (await mails()).filter(({ recipients }) => /mail\.cn$/.test(recipients[0]?.address ?? ""));
    expect(sent.map(({ email, recipients }) => [recipients[0]?.address, email.tags[0]?.value, email.status])).toEqual([
      ["annoyed@mail.cn", "password_reset", "queued"],
      ["gone@mail.cn", "password_reset", "suppressed"],
    ]);
  });

  it("is in Chinese for yuan by default", async () => {
    await pay({});
    expect((await mails()).map(({ email }) => email.subject)).toContain("Lantern & Co 收据：¥99.00");
  });
});
