import { nameIn, type PaymentMethod, type PaymentMethods } from "#gateways/index.ts";
import type { Language } from "#platform/index.ts";
import { type MoneyText, moneyText, timeText, zoneOf } from "../format.ts";
import type { PayView } from "../pay-view.ts";
import type { Device } from "./device.ts";
import type { Words } from "./words/words.ts";

/** Addresses of the page's own files; they contain a hash of the content, so they can be cached indefinitely. */
export interface PageFiles {
  style: string;
  script: string;
  mark: string;
}

/** The parameters of one request, in addition to the payment itself. */
export interface PageRequest {
  lang: Language;
  /** The query's explicit choices, which links and forms preserve. */
  requested: { lang?: Language; theme?: "light" | "dark" };
  device: Device;
  /** The payment methods that the page can show. */
  methods: PaymentMethods;
  /** Whether the buyer returns from where they were redirected to pay. */
  isBack: boolean;
  /** Code of the last form's refusal, if any. */
  problem: string | null;
  now: Date;
  files: PageFiles;
}

export interface Page extends PageRequest {
  view: PayView;
  words: Words;
}

const amp = /[&<>"']/g;
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeText(text: string): string {
  return text.replace(amp, (sign) => entities[sign] ?? sign);
}

/** A placeholder for markup in a sentence; see `fill`. */
export const slot = "\u0000";

/** Escapes a sentence of the word tables and inserts markup at its slot. */
export function fill(sentence: string, markup: string): string {
  return escapeText(sentence).replace(slot, () => markup);
}

/** The query that preserves the buyer's choices of language and colors. */
export function query(requested: PageRequest["requested"], changes: PageRequest["requested"] = {}): string {
  const text = new URLSearchParams({ ...requested, ...changes }).toString();
  return text === "" ? "" : `?${text}`;
}

/** A refusal's public code as a sentence; unknown codes get the general sentence. */
export function sentenceOf(words: Words, code: string | null): string {
  const known = code !== null && Object.hasOwn(words.problems, code) ? words.problems[code] : undefined;
  return known ?? words.problems["other"] ?? "";
}

export function pagePath(page: Page, below = ""): string {
  return `/pay/${page.view.token}${below}${query(page.requested)}`;
}

/** The address of the page as it is shown now. A buyer who has come back from the provider sees again that the payment is being checked. */
export function currentPath(page: Page): string {
  const path = pagePath(page);
  return page.isBack ? `${path}${path.includes("?") ? "&" : "?"}back=paid` : path;
}

export function operationPath(page: Page, operation: "initiate" | "report" | "report/withdraw" | "voucher" | "simulate"): string {
  return `/api/public/pay/${page.view.token}/${operation}${query(page.requested)}`;
}

export function sumOf(page: Page, amountMinor: number): MoneyText {
  const { currency, exponent } = page.view.order;
  return moneyText(page.lang, { amount_minor: amountMinor, currency, exponent });
}

/** An amount as markup, its currency apart, so that it can be smaller than the number. */
export function sumTag(page: Page, amountMinor: number): string {
  const { symbol, whole } = sumOf(page, amountMinor);
  return escapeText(whole).replace(escapeText(symbol), (text) => `<span class="symbol">${text}</span>`);
}

/** A time, readable without a script; the script converts it to the buyer's own time zone, and omits today's date if `style` allows. */
export function timeTag(page: Page, at: Date, style: "short" | "full" = "short"): string {
  const text = timeText(page.lang, at, zoneOf(page.lang, page.view.order.currency));
  return `<time datetime="${at.toISOString()}" data-local="${style}">${escapeText(text)}</time>`;
}

/** A deadline as text, which the script turns into a countdown. */
export function deadlineTag(page: Page, at: Date): string {
  const text = page.words.until(timeText(page.lang, at, zoneOf(page.lang, page.view.order.currency)));
  return `<time datetime="${at.toISOString()}" data-countdown>${escapeText(text)}</time>`;
}

/** The payment methods of these names. */
export function methodsOf(page: Page, names: readonly string[]): PaymentMethod[] {
  return names.map((name) => page.methods.find(name)).filter((method) => method !== null);
}

/** A payment method's name in the page's language: a personal code's own one if a gateway's method is offered under the same name. */
export function methodName(page: Page, method: PaymentMethod): string {
  const name = nameIn(method.names, page.lang);
  if (method.kind !== "personal_qr") return name;
  const isTwice = methodsOf(page, page.view.channels).some((other) => other !== method && nameIn(other.names, page.lang) === name);
  return isTwice ? nameIn(method.codeNames, page.lang) : name;
}

/** Marks a method whose provider is simulated, so that it's never mistaken for a real one. Its blank keeps it on the line of the name. */
export function demoMark({ view, words }: Page, { name }: PaymentMethod): string {
  const isDemo = view.demo_channels.includes(name) || (view.session?.method === name && view.session.demo);
  return isDemo ? `\u00a0<span class="demo">${escapeText(words.demo)}</span>` : "";
}

/** The name of the app for a method; a method without one uses its own name. */
export function appName(page: Page, method: PaymentMethod): string {
  return nameIn((method.app ?? method).names, page.lang);
}
