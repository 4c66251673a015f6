import { beforeAll, expect, test } from "vitest";
import { expectAccessible, openBrowser } from "#test/browser.ts";
import { localEgress } from "#test/certificate.ts";
import { buildDashboard, givenLook, listen, openDashboard } from "#test/dashboard.ts";
import { house } from "#test/house.ts";
import { receiver } from "#test/receiver.ts";
import { visitor } from "#test/visitors.ts";
import { emitSome, endpointAt, handOf } from "#test/webhook-world.ts";
import { changeEndpoint } from "#webhooks/index.ts";

const home = await house({ egress: await localEgress(), startsAt: new Date().toISOString(), http: { perMinuteUnauthenticated: 10_000 } });
const browser = await openBrowser();
const hand = handOf(home.ctx);
const look = givenLook();
const say = (en: string, zh: string) => (look.language === "zh" ? zh : en);
const timeLimit = 120_000;
let origin = "";

beforeAll(async () => {
  await buildDashboard();
  origin = await listen(home);
}, timeLimit);

test(
  "the overview counts webhooks that we switched off, in red; those that a person disabled are no alarm",
  async () => {
    const tenant = await home.tenant();
    const person = await visitor(home, { merchant_id: tenant.merchant_id, role: "owner" });
    const gone = await receiver((_one, response) => response.writeHead(410).end());
    await endpointAt(home.ctx, tenant, gone.url);
    const quiet = await endpointAt(home.ctx, tenant, gone.url, ["order.failed"]);
    await changeEndpoint(home.ctx, tenant, { id: quiet.id, if_version: null, status: "disabled" });
    await emitSome(home.ctx, tenant);
    await hand.deliver();
    const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
    await page.goto(`${origin}/dashboard`);
    const alarm = page.locator(".wait[data-tone=failed]");
    await alarm.waitFor();
    expect(await alarm.textContent()).toBe(say("1 webhook switched off after failures", "1 个 Webhook 因持续失败已停用"));
    await alarm.click();
    const badges = page.locator(".badge");
    await badges.filter({ hasText: say("Switched off", "已自动停用") }).waitFor();
    expect(await page.locator('.badge[data-tone="failed"]').count()).toBe(1);
    expect(await page.locator('.badge[data-tone="expired"]').count()).toBe(1);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
