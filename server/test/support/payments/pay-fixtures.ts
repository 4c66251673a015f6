import type { Page } from "playwright-core";
import { paymentMethods } from "#app/payment-methods.ts";
import { drawQrPng, drawQrSvg } from "#assets/index.ts";
import {
  loadPageFiles,
  type PageRequest,
  type PayView,
  renderPayPage,
  renderReceipt,
  renderTroublePage,
  renderUnknownPage,
} from "#checkout/index.ts";
import { type Language, languageInfo, languages } from "#platform/index.ts";
import { pageNow, payViews } from "./pay-views.ts";

/** Language, colors and width in which a page is viewed. */
export interface Look {
  lang: Language;
  theme: "light" | "dark";
  width: number;
}

export const looks: Look[] = languages.flatMap(({ tag: lang }) =>
  (["light", "dark"] as const).map((theme) => ({ lang, theme, width: 390 })),
);

/**
 * Names of everything that can be shown: each state of the page, its receipt, the page of an unknown link, and the one that replaces a page
 * that can't be shown.
 */
export const faces = [...Object.keys(payViews), "receipt", "unknown", "trouble"];

export const phoneAgent =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1";

export const sessionOptions = (look: Look) => ({
  viewport: { width: look.width, height: 844 },
  colorScheme: look.theme,
  locale: languageInfo(look.lang).locale,
  timezoneId: "Asia/Shanghai",
  ...(look.width < 600 ? { userAgent: phoneAgent, isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
});

const origin = "http://pay.test";
const code = "wxp://f2f0abcdefghijklmnopqrstuvwxyz1234";

/** Opens one face of the page without a server: only its files and its code respond. */
export async function showFace(page: Page, face: string, look: Look): Promise<void> {
  const { files, addresses } = await loadPageFiles("/static");
  const device = look.width < 600 ? "phone" : "desktop";
  const request: PageRequest = {
    lang: look.lang,
    requested: {},
    device,
    methods: paymentMethods,
    isBack: false,
    problem: null,
    now: pageNow,
    files: addresses,
  };
  await page.unrouteAll();
  await page.route(`${origin}/**`, (route) => {
    const path = new URL(route.request().url()).pathname;
    const file = files.find((one) => path === `/static/${one.name}`);
    if (file !== undefined) return route.fulfill({ contentType: file.content_type, body: file.plain });
    const drawing = { test: payViews[face]?.livemode === false };
    if (path.endsWith("/qr.svg")) return route.fulfill({ contentType: "image/svg+xml", body: drawQrSvg(code, drawing) });
    if (path.endsWith("/qr.png")) return route.fulfill({ contentType: "image/png", body: drawQrPng(code, drawing) });
    if (path === "/") return route.fulfill({ contentType: "text/html; charset=utf-8", body: pageOf(face, request) });
    return route.abort();
  });
  await page.clock.setFixedTime(pageNow);
  await page.goto(`${origin}/`);
}

function pageOf(face: string, request: PageRequest): string {
  if (face === "unknown") return renderUnknownPage(request);
  if (face === "trouble") return renderTroublePage({ ...request, problem: "rate_limited" }, "/");
  if (face === "receipt") return renderReceipt(payViews["paid"] as PayView, request);
  return renderPayPage(payViews[face] as PayView, request);
}
