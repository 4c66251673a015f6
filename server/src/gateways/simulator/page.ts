import { createHash } from "node:crypto";
import { html } from "ghtml";
import { chooseLanguage, type Language, languageInfo } from "#platform/index.ts";
import type { SimulatedOutcome } from "./simulator.ts";
import { type SimulatorWords, simulatorWords } from "./words.ts";

export interface SimulatorPage {
  /** The provider's name, by language. */
  provider: Readonly<Record<Language, string>>;
  title: string;
  /** In the provider's format: `12.34 EUR`. */
  amount: string;
  /** The provider's own word for it; null if the code of the payment no longer works. */
  state: string | null;
  outcomes: readonly SimulatedOutcome[];
  /** Where the buyer goes back to; null while there is no target. */
  back: string | null;
}

/** The most common choice comes first; the others are for testing. */
const plain: readonly SimulatedOutcome[] = ["paid", "declined", "canceled"];

// Its colors are the tokens of every other page.
const style = `
:root { color-scheme: light dark; --n1: light-dark(#fdfcf9, #100f0d); --n2: light-dark(#f8f7f4, #171613); --n4: light-dark(#e5e3de, #2d2b27);
  --n6: light-dark(#c6c4be, #4d4a44); --n10: light-dark(#636059, #aaa7a1); --n12: light-dark(#1d1a14, #f0eeea);
  --accent: light-dark(#00774c, #57c791); --on-accent: light-dark(#fdfcf9, #05160d);
  --test: light-dark(#703dc6, #bda8fc); --on-test: light-dark(#fcfbfe, #190f2e);
  font: 400 16px/1.5 ui-sans-serif, "SF Pro Text", "Segoe UI", Roboto, "PingFang SC", "Noto Sans SC", "Microsoft YaHei", sans-serif; font-variant-numeric: tabular-nums; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--n1); color: var(--n12); overflow-wrap: anywhere; }
h1, p { margin: 0; }
.test { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 8px; padding: 4px 16px; background: var(--test); color: var(--on-test); font-size: 14px; line-height: 20px; }
.test strong { letter-spacing: 0.08em; }
main { max-width: 440px; margin: 0 auto; padding: 32px 16px; }
.name { font-weight: 600; margin-bottom: 16px; }
.card { padding: 24px 16px; margin-bottom: 16px; border: 1px solid var(--n4); border-radius: 12px; background: var(--n2); text-align: center; }
h1 { font-size: 16px; font-weight: 400; color: var(--n10); }
.amount { font-size: 40px; line-height: 1.2; font-weight: 600; letter-spacing: -0.01em; margin: 4px 0 8px; }
.amount span { margin-inline-end: 6px; font-size: 0.6em; vertical-align: 0.24em; font-weight: 400; }
.state { font-size: 14px; color: var(--n10); }
.usual { display: grid; grid-template-columns: 1fr 1fr; gap: 0 8px; }
.usual > .first, .usual > :last-child:nth-child(2) { grid-column: 1 / -1; }
button, .back { display: block; width: 100%; min-height: 48px; margin: 0 0 8px; padding: 11px 16px; border: 1px solid var(--n6); border-radius: 10px; background: var(--n1); color: var(--n12);
  font: inherit; text-align: center; text-decoration: none; cursor: pointer; }
.back:not(.first) { border-color: transparent; background: none; color: var(--accent); }
.first { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details { margin-top: 16px; border-top: 1px solid var(--n4); }
summary { padding: 12px 0; color: var(--n10); cursor: pointer; }
.hint { margin-top: 16px; font-size: 14px; color: var(--n10); }
code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; }
`;

/** The page's policy: only its own styles and its own form. */
export const simulatorPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Its own icon, so that no browser requests one from the provider's API. */
const sign =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7' fill='%23703dc6'/%3E%3C/svg%3E";

/**
 * The page on which a buyer chooses the outcome of a payment, in the language of their browser. Each choice posts `outcome=<name>` to the
 * page's own address, as a script may.
 */
export function simulatorPage(request: Pick<Request, "headers">, page: SimulatorPage): string {
  const language = chooseLanguage({ accepted: request.headers.get("accept-language") ?? "" });
  const words = simulatorWords[language];
  const { html: lang, dir, colon } = languageInfo(language);
  const { title, state } = page;
  const provider = page.provider[language];
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="${sign}">
<title>${words.title(provider)}</title>
<style>!${style}</style>
</head>
<body>
<aside class="test"><strong>${words.test}</strong><span>${words.noMoney}</span></aside>
<main>
<p class="name">${words.title(provider)}</p>
<section class="card">
<h1>${title}</h1>
<p class="amount">!${amountIn(language, page.amount)}</p>
<p class="state">!${state === null ? html`${words.codeOver}` : html`${words.state}${colon}<code>${state}</code>`}</p>
</section>
!${choices(words, page)}
</main>
</body>
</html>
`;
}

/** ¥ is the yuan in every language; the yen names its country. */
const symbols: Readonly<Record<string, string>> = { CNY: "¥", JPY: "JP¥" };

/** The provider's amount as people write it, with as many decimals. */
function amountIn(language: Language, amount: string): string {
  const [value = "", currency = ""] = amount.split(" ");
  if (!/^[A-Z]{3}$/.test(currency)) return html`${amount}`;
  const digits = value.split(".")[1]?.length ?? 0;
  const options = { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  const parts = new Intl.NumberFormat(languageInfo(language).locale, options).formatToParts(value as Intl.StringNumericLiteral);
  const symbol = symbols[currency] ?? parts.find(({ type }) => type === "currency")?.value ?? currency;
  const number = parts.filter(({ type }) => type !== "currency" && type !== "literal").map((part) => part.value);
  return html`<span>${symbol}</span>${number.join("")}`;
}

function choices(words: SimulatorWords, { outcomes, back }: SimulatorPage): string {
  const isOpen = outcomes.includes("paid");
  const usual = plain.filter((outcome) => outcomes.includes(outcome));
  const others = outcomes.filter((outcome) => !plain.includes(outcome));
  const button = (outcome: SimulatedOutcome) =>
    html`<button name="outcome" value="${outcome}" class="${outcome === "paid" ? "first" : ""}">${words.outcomes[outcome]}</button>`;
  const wayBack = back === null ? "" : html`<a class="${isOpen ? "back" : "back first"}" href="${back}">${words.back}</a>`;
  const nothing = outcomes.length === 0 && back === null ? html`<p class="hint">${words.over}</p>` : "";
  return html`!${isOpen ? "" : wayBack}<form method="post">
<div class="usual">!${usual.map(button)}</div>
!${isOpen ? wayBack : ""}
!${others.length === 0 ? "" : html`<details><summary>${words.more}</summary>!${others.map(button)}<p class="hint">${words.script} <code>${outcomes.join(", ")}</code></p></details>`}
</form>!${nothing}`;
}
