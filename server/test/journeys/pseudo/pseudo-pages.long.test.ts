import "./pseudo-words.ts";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { howToRun } from "#app/installed/how-to-run.ts";
import { clickSignerOf, clickUrl } from "#email/tracking/track-token.ts";
import { unsubscribeUrl } from "#email/unsubscribe/unsubscribe-token.ts";
import { type SimulatedOutcome, simulatorPage } from "#gateways/index.ts";
import { simulatorWords } from "#gateways/simulator/words.ts";
import { writeMail } from "#notices/write-mail.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { expectAccessible, openBrowser, screenshot } from "#test/support/browser/browser.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { isTestSample, kinds, sampleFacts } from "#test/support/mail/notice-fixtures.ts";
import { faces, sessionOptions, showFace } from "#test/support/payments/pay-fixtures.ts";
import { payViews } from "#test/support/payments/pay-views.ts";
import { layoutFaults, plainTexts, textsIn } from "./plain-texts.ts";
import { pseudo } from "./pseudo-language.ts";

const app = await testApp();
const browser = await openBrowser();
const widths = [320, 390, 1440];
const themes = ["light", "dark"] as const;
const looks = themes.flatMap((theme) => widths.map((width) => ({ theme, width })));

it.each(looks)("every face of the pay page: $theme, $width px", async ({ theme, width }) => {
  const look = { lang: pseudo, theme, width };
  const page = await browser.page(sessionOptions(look));
  const faults: string[] = [];
  for (const face of faces) {
    await showFace(page, face, look);
    await screenshot(page, `pseudo-${face}-${theme}-${width}`);
    const plain = await plainTexts(page, textsIn(payViews));
    faults.push(...[...(await layoutFaults(page)), ...plain.map((text) => `in no table: ${text}`)].map((fault) => `${face}: ${fault}`));
    await expectAccessible(page);
  }
  expect(faults).toEqual([]);
});

/** A payment that is open, has ended, and has ended where no shop waits for the buyer. */
const simulated = Object.entries({
  open: { outcomes: Object.keys(simulatorWords[pseudo].outcomes) as SimulatedOutcome[], back: "https://shop.example/thanks" },
  ended: { outcomes: ["disputed"] as const, back: "https://shop.example/thanks" },
  final: { outcomes: [], back: null },
});

it.each(looks)("a simulated provider's page: $theme, $width px", async ({ theme, width }) => {
  const page = await browser.page(sessionOptions({ lang: pseudo, theme, width }));
  const request = new Request("https://pay.example.com/simulator/x", { headers: { "accept-language": pseudo } });
  const faults: string[] = [];
  for (const [name, state] of simulated) {
    await page.setContent(
      simulatorPage(request, {
        provider: { en: "Stripe", zh: "Stripe" },
        title: "Two pots of tea",
        amount: "12.34 EUR",
        state: "unpaid",
        ...state,
      }),
    );
    for (const others of await page.locator("summary").all()) await others.click();
    await screenshot(page, `pseudo-simulator-${name}-${theme}-${width}`);
    const plain = await plainTexts(page, ["Two pots of tea", "unpaid"]);
    faults.push(...[...(await layoutFaults(page)), ...plain.map((text) => `in no table: ${text}`)].map((fault) => `${name}: ${fault}`));
    await expectAccessible(page);
  }
  expect(faults).toEqual([]);
});

it.each(themes.flatMap((theme) => [390, 640].map((width) => ({ theme, width }))))(
  "every email: $theme, $width px",
  async ({ theme, width }) => {
    const page = await browser.page({ viewport: { width, height: 800 }, deviceScaleFactor: 2, colorScheme: theme });
    const faults: string[] = [];
    for (const kind of kinds) {
      const { html, text, subject } = writeMail(
        { publicUrl: "https://pay.example.com", howToRun },
        { kind, facts: sampleFacts[kind] as never, lang: pseudo, test: isTestSample(kind) },
      );
      await page.setContent(html);
      await screenshot(page, `pseudo-mail-${kind}-${theme}-${width}`);
      const known = [...textsIn(sampleFacts[kind]), "pay.example.com"];
      const plain = await plainTexts(page, known);
      faults.push(...[...(await layoutFaults(page)), ...plain.map((one) => `in no table: ${one}`)].map((fault) => `${kind}: ${fault}`));
      expect(`${subject}${text}`).not.toContain("：");
      await expectAccessible(page);
    }
    expect(faults).toEqual([]);
  },
);

it("the pages behind links in emails, in the language that the URL specifies", async () => {
  const server = await app.server();
  await server.listen({ port: 0, host: "127.0.0.1" });
  const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const shop = await app.tenant();
  const address = "ada.of.a.rather.long.name@corner-readers.com";
  const { email } = await mailRoom(app.ctx).send(shop, { to: address });
  const leave = new URL(unsubscribeUrl(app.ctx, { tenant: shop, email_id: email.id, address })).pathname;
  const target = `https://books.example.com/${"chapter-".repeat(20)}`;
  const away = new URL(clickUrl(clickSignerOf(app.ctx, { tenant: shop, email_id: "em_1", recipient_id: "dlv_1" }), target)).pathname;
  const faults: string[] = [];
  for (const [name, path] of Object.entries({ leave, away, unknown: "/u/x" })) {
    const page = await browser.page();
    await page.goto(`${origin}${path}?lang=${pseudo}`);
    await screenshot(page, `pseudo-mail-page-${name}`);
    const plain = await plainTexts(page, [target, address, "books.example.com", "Corner Books"]);
    faults.push(...[...(await layoutFaults(page)), ...plain.map((text) => `in no table: ${text}`)].map((fault) => `${name}: ${fault}`));
    await expectAccessible(page);
  }
  expect(faults).toEqual([]);
});

it("if more than one other language can be chosen, the page has a list of them that opens without a script", async () => {
  const page = await browser.page({ viewport: { width: 390, height: 800 }, javaScriptEnabled: false });
  await showFace(page, "pay", { lang: pseudo, theme: "light", width: 390 });
  await page.locator("details.languages summary").click();
  expect(await page.locator("details.languages a").allInnerTexts()).toEqual(["English", "中文"]);
  await screenshot(page, "pseudo-languages");
});
