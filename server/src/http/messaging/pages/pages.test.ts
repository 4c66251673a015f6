import { expect, test } from "vitest";
import { emailChannel } from "#email/index.ts";
import { clickSignerOf, clickUrl, openUrl } from "#email/tracking/track-token.ts";
import { unsubscribeUrl } from "#email/unsubscribe/unsubscribe-token.ts";
import { findSuppressed } from "#messaging/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const room = mailRoom(app.ctx);
const address = "ada@corner-readers.com";
const browser = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1";
const html = { accept: "text/html", "user-agent": browser };

interface Written {
  shop: TestTenant;
  id: string;
  /** Paths of the links that the message holds. */
  leave: string;
  click: string;
  open: string;
  /** Of another link in the same copy. */
  clickOn: (url: string) => string;
}

async function written(): Promise<Written> {
  const shop = await app.tenant();
  const { email, recipients } = await room.send(shop, { to: address, tracking: { opens: true, clicks: true }, unsubscribe: true });
  await room.settle();
  app.clock.advance(60_000);
  const tracked = { tenant: shop, email_id: email.id, recipient_id: recipients[0]?.id ?? "" };
  const pathOf = (url: string) => new URL(url).pathname;
  return {
    shop,
    id: email.id,
    leave: pathOf(unsubscribeUrl(app.ctx, { tenant: shop, email_id: email.id, address })),
    click: pathOf(clickUrl(clickSignerOf(app.ctx, tracked), "https://books.example.com/书?b=c&d=é#e")),
    open: pathOf(openUrl(app.ctx, tracked)),
    clickOn: (url) => pathOf(clickUrl(clickSignerOf(app.ctx, tracked), url)),
  };
}

async function suppressed(shop: TestTenant): Promise<boolean> {
  return (await findSuppressed(app.ctx.db, shop, { channel: emailChannel, addresses: [address] })).has(address);
}

test("the unsubscribe page asks in the reader's language and never acts automatically", async () => {
  const { shop, leave, id } = await written();
  const english = await app.api().get(leave, { headers: html });
  expect(english.status, english.text).toBe(200);
  expect(english.text).toContain("Unsubscribe?");
  expect(english.text).toContain(`Stop emails from Corner Books to ${address}.`);
  expect(english.text).toMatch(/<form method="post" action="\.\/[\w.-]+"/);
  expect(english.text).not.toMatch(/<script|style=|https?:\/\//);
  expect(english.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(english.headers["referrer-policy"]).toBe("no-referrer");
  expect(english.headers["cache-control"]).toBe("no-store");
  expect(english.headers["x-robots-tag"]).toContain("noindex");
  expect(english.headers["set-cookie"]).toBeUndefined();
  expect(english.headers["x-ratelimit-limit"]).toBeDefined();
  const chinese = await app.api().get(leave, { headers: { ...html, "accept-language": "zh-CN,zh;q=0.9" } });
  expect(chinese.text).toContain('lang="zh-CN"');
  expect(chinese.text).toContain("退订邮件？");
  expect((await app.api().get(`${leave}?lang=zh&theme=dark`, { headers: html })).text).toMatch(/data-theme="dark"[\s\S]*退订/);
  await app.api().call("HEAD", leave, { headers: html });
  expect(await suppressed(shop)).toBe(false);
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "delivered"]);
});

test("a mail program unsubscribes with one POST, without cookie, token or page", async () => {
  const { shop, leave, id } = await written();
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    origin: "https://mail.example.com",
    "sec-fetch-site": "cross-site",
  };
  const answer = await app.api().call("POST", leave, { payload: "List-Unsubscribe=One-Click", headers });
  expect([answer.status, answer.text]).toEqual([200, ""]);
  expect(await suppressed(shop)).toBe(true);
  const form = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
  expect(
    (await app.api().call("POST", leave, { payload: form, headers: { "content-type": "multipart/form-data; boundary=x" } })).status,
  ).toBe(200);
  expect((await app.api().call("POST", leave)).status).toBe(200);
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "delivered", "unsubscribed"]);
  const { email } = await room.send(shop, { to: address });
  await room.settle();
  expect(await room.status(shop, email.id)).toBe("suppressed");
});

test("the page's own button answers with a page", async () => {
  const { shop, leave } = await written();
  const done = await app
    .api()
    .call("POST", `${leave}?lang=zh`, { payload: "", headers: { ...html, "content-type": "application/x-www-form-urlencoded" } });
  expect(done.status).toBe(200);
  expect(done.text).toContain("已退订");
  expect(await suppressed(shop)).toBe(true);
});

test("a link of TEST shows where the message said it leads, and counts only people's clicks", async () => {
  const { shop, click, id } = await written();
  const found = () => app.api(shop.key).get(`/v1/emails/${id}`);
  const head = await app.api().call("HEAD", click, { headers: html });
  expect(head.status).toBe(200);
  expect((await found()).body).toMatchObject({ clicks: 0, last_event: "delivered" });
  const scanner = await app.api().get(click, { headers: { "user-agent": "Barracuda Sentinel" } });
  expect(scanner.status).toBe(200);
  expect((await found()).body).toMatchObject({ clicks: 0, last_event: "clicked" });
  const person = await app.api().get(click, { headers: html });
  expect(person.text).toContain('href="https://books.example.com/%E4%B9%A6?b&#61;c&#38;d&#61;%C3%A9#e"');
  expect((await found()).body).toMatchObject({ clicks: 1, status: "delivered" });
  const last = (await room.data(shop, id)).at(-1);
  expect(last).toMatchObject({ click: { url: "https://books.example.com/书?b=c&d=é#e", is_machine: false, user_agent: browser } });
});

test("the picture is one dot for everyone, and only counts people's opens", async () => {
  const { shop, open, id } = await written();
  for (const agent of ["curl/8", browser]) {
    const answer = await app.api().get(open, { headers: { "user-agent": agent } });
    expect(answer.headers["content-type"]).toBe("image/gif");
    expect(answer.headers["cache-control"]).toBe("no-store");
  }
  expect((await app.api(shop.key).get(`/v1/emails/${id}`)).body).toMatchObject({ opens: 1, last_event: "opened" });
});

test("a link that was changed leads nowhere, with an explanation for people and JSON for programs", async () => {
  const { shop, leave, click, open, id } = await written();
  const changed = (path: string) =>
    path.replace(/.(\.gif)?$/, (_all, end: string | undefined) => `${path.includes("A") ? "b" : "A"}_${end ?? ""}`);
  const swapped = [click.replace("/c/", "/o/"), open.replace("/o/", "/c/"), leave.replace("/u/", "/c/"), click.replace("/c/", "/u/")];
  for (const path of [
    changed(leave),
    changed(click),
    changed(open),
    ...swapped,
    "/u/",
    "/c/x",
    "/c/https://evil.example.com",
    "/o/.gif",
    `/u/${"a".repeat(9_000)}`,
  ]) {
    const page = await app.api().get(path, { headers: html });
    expect(page.status, path.slice(0, 60)).toBe(404);
    expect(page.headers["location"]).toBeUndefined();
    expect(page.text).toContain("This link doesn");
    expect((await app.api().get(path)).body.error.code).toBe("resource_missing");
  }
  expect((await app.api().call("POST", changed(leave))).status).toBe(404);
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "delivered"]);
});

test("a link that is requested too often is refused for the rest of the minute", async () => {
  const { open } = await written();
  const statuses = await Promise.all(Array.from({ length: 130 }, async () => (await app.api().get(open)).status));
  expect(statuses.filter((status) => status === 200).length).toBe(120);
  expect(statuses.filter((status) => status === 429).length).toBe(10);
});

test("a copy whose many links are requested again and again records sixty clicks a minute, and all of them lead on", async () => {
  const { shop, id, clickOn } = await written();
  const links = ["a", "b", "c"].map((name) => clickOn(`https://books.example.com/${name}`));
  const requests = Array.from({ length: 50 }, () => links).flat();
  const statuses = await Promise.all(requests.map(async (link) => (await app.api().get(link, { headers: html })).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await room.eventsOf(shop, id)).filter((event) => event === "clicked")).toHaveLength(60);
});
