import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { emailChannel, findEmailSource } from "#email/index.ts";
import { clickSignerOf, clickUrl } from "#email/tracking/track-token.ts";
import { unsubscribeUrl } from "#email/unsubscribe/unsubscribe-token.ts";
import { setMerchantVerification } from "#identity/index.ts";
import { findSuppressed } from "#messaging/index.ts";
import { type TestApp, type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";

const plain = await testApp();
const hosted = await testApp({ mail: { linksUrl: "https://links.tillpost.example" } });
const html = { accept: "text/html", "user-agent": "Mozilla/5.0 Firefox/140.0" };
const target = "https://books.example.com/a?b=c&d=%3Cscript%3E";
const payHost = "localhost:8080";

/** What the links of a mail as it is sent look like. */
async function linksOf(app: TestApp, shop: TestTenant, from = "Corner Books <orders@tillpost.example>") {
  const room = mailRoom(app.ctx);
  const { email } = await room.send(shop, {
    from,
    html: `<a href="${target}">x</a>`,
    tracking: { opens: true, clicks: true },
    unsubscribe: true,
  });
  const { raw } = await findEmailSource(app.ctx, shop, { id: email.id });
  const mail = await PostalMime.parse(raw);
  const click = new URL(/href="([^"]+)"/.exec(mail.html ?? "")?.[1] ?? "");
  const open = new URL(/src="([^"]+)"/.exec(mail.html ?? "")?.[1] ?? "");
  const leave = new URL(/<(.+)>/.exec(mail.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "")?.[1] ?? "");
  return { click, open, leave };
}

const follow = async (app: TestApp, path: string, host: string) => {
  const { status, headers, text } = await app.api().get(path, { headers: { ...html, host } });
  return { status, location: headers["location"], text, policy: headers["content-security-policy"] };
};

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));

describe("without a host for links", () => {
  const clickOf = (shop: TestTenant) =>
    new URL(clickUrl(clickSignerOf(plain.ctx, { tenant: shop, email_id: "em_1", recipient_id: "dlv_1" }), target)).pathname;

  test("a link of TEST shows where it leads, and only continues when a person chooses to", async () => {
    const { status, location, text, policy } = await follow(plain, clickOf(await plain.tenant()), payHost);
    expect({ status, location }).toEqual({ status: 200, location: undefined });
    expect(text).toContain("about to leave this site");
    expect(unescaped(text)).toContain(`href="${target}"`);
    expect(text).not.toMatch(/<script|http-equiv="refresh"/i);
    expect(policy).toContain("default-src 'none'");
    expect((await plain.api().get(clickOf(await plain.tenant()), { headers: { ...html, "accept-language": "zh-CN" } })).text).toContain(
      "此链接将离开本站",
    );
  });

  test("so does one of an unverified LIVE merchant, also if it was verified before; a verified one's continues", async () => {
    const shop = await plain.tenant({ livemode: true });
    expect(await follow(plain, clickOf(shop), payHost)).toMatchObject({ status: 302, location: target });
    await setMerchantVerification(plain.ctx, { merchant_id: shop.merchant_id, status: "rejected", reason: "gone" } as never);
    expect(await follow(plain, clickOf(shop), payHost)).toMatchObject({ status: 200 });
  });

  test("no other host of this server continues a stranger's link either", async () => {
    expect(await follow(plain, clickOf(await plain.tenant()), "127.0.0.1")).toMatchObject({ status: 200 });
    for (const host of ["links.tillpost.example", "evil.example", "links.shop.test"]) {
      expect(await follow(plain, clickOf(await plain.tenant()), host)).toMatchObject({ status: 421, location: undefined });
    }
  });

  test("one-click unsubscribing works in TEST as RFC 8058 says, without a page in between", async () => {
    const shop = await plain.tenant();
    const { leave } = await linksOf(plain, shop);
    const answer = await plain.api().call("POST", leave.pathname, {
      payload: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: "" });
    const found = await findSuppressed(plain.ctx.db, shop, { channel: emailChannel, addresses: ["ada@lovelace.dev"] });
    expect(found.size).toBe(1);
  });
});

describe("with a host for links", () => {
  test("email has its links there, which continue; on the payment pages' host they don't", async () => {
    const shop = await hosted.tenant();
    const { click, open, leave } = await linksOf(hosted, shop);
    expect([click.origin, open.origin, leave.origin]).toEqual(Array(3).fill("https://links.tillpost.example"));
    expect(await follow(hosted, click.pathname, "links.tillpost.example")).toMatchObject({ status: 302, location: target });
    expect(await follow(hosted, click.pathname, payHost)).toMatchObject({ status: 200 });
    expect(await follow(hosted, leave.pathname, "links.tillpost.example")).toMatchObject({
      status: 200,
      text: expect.stringContaining("Unsubscribe?"),
    });
  });

  test("a link that is already tracked isn't tracked again, wherever it leads through", async () => {
    const shop = await hosted.tenant();
    const room = mailRoom(hosted.ctx);
    const own = unsubscribeUrl(hosted.ctx, { tenant: shop, email_id: "em_1", address: "a@b.dev" });
    const { email } = await room.send(shop, { html: `<a href="${own}">Leave</a>`, tracking: { opens: false, clicks: true } });
    const { raw } = await findEmailSource(hosted.ctx, shop, { id: email.id });
    expect((await PostalMime.parse(raw)).html).toContain(`href="${own}"`);
  });

  test("a project's verified domain has separate links, only for its own email", async () => {
    const [shop, other] = [await hosted.tenant(), await hosted.tenant()];
    const api = hosted.api(shop.key);
    const made = await api.post("/v1/domains", { name: "shop.test" });
    const record = made.body.records.find(({ purpose }: { purpose: string }) => purpose === "links");
    expect(record).toEqual({
      type: "CNAME",
      name: "links.shop.test",
      value: "links.tillpost.example",
      purpose: "links",
      status: "pending",
    });
    expect((await linksOf(hosted, shop, "orders@shop.test")).click.origin).toBe("https://links.tillpost.example");
    expect((await api.post(`/v1/domains/${made.body.id}/verify`, {})).body.status).toBe("verified");
    const { click, open, leave } = await linksOf(hosted, shop, "orders@shop.test");
    expect([click.origin, open.origin, leave.origin]).toEqual(Array(3).fill("https://links.shop.test"));
    expect(await follow(hosted, click.pathname, "links.shop.test")).toMatchObject({ status: 302, location: target });
    const foreign = await linksOf(hosted, other);
    expect(foreign.click.origin).toBe("https://links.tillpost.example");
    expect(await follow(hosted, foreign.click.pathname, "links.shop.test")).toMatchObject({ status: 200 });
  });

  test("a domain chooses its label, and an earlier one learns its record at the next check", async () => {
    const shop = await hosted.tenant();
    const chosen = await hosted.api(shop.key).post("/v1/domains", { name: "go.shop.test", tracking_subdomain: "go" });
    expect(chosen.body.records.map(({ name }: { name: string }) => name)).toContain("go.go.shop.test");
    const old = await plain.tenant();
    const before = await plain.api(old.key).post("/v1/domains", { name: "old.test" });
    expect(before.body.records.some(({ purpose }: { purpose: string }) => purpose === "links")).toBe(false);
    const { verifyDomain } = await import("#email/index.ts");
    const mail = { ...plain.ctx.mail, linksUrl: "https://links.tillpost.example" };
    const after = await verifyDomain({ ...plain.ctx, mail }, old, { id: before.body.id });
    expect(after.records.find(({ purpose }) => purpose === "links")).toMatchObject({ name: "links.old.test", status: "verified" });
  });
});
