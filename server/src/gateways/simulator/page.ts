import { createHash } from "node:crypto";
import { html } from "ghtml";
import { chooseLanguage, languageInfo } from "#platform/index.ts";
import type { SimulatedOutcome } from "./simulator.ts";
import { type SimulatorWords, simulatorWords } from "./words.ts";

export interface SimulatorPage {
  /** The provider's name. */
  provider: string;
  title: string;
  /** In the provider's format: `12.34 EUR`. */
  amount: string;
  state: string;
  outcomes: readonly SimulatedOutcome[];
  /** Where the buyer goes back to; null while there is no target. */
  back: string | null;
}

/** The most common choice comes first; the others are for testing. */
const plain: readonly SimulatedOutcome[] = ["paid", "declined", "canceled"];

const style = `
:root { color-scheme: light dark; --paper: light-dark(#fdfcfa, #131210); --card: light-dark(#ffffff, #1c1b18); --ink: light-dark(#23201b, #f0eeea);
  --soft: light-dark(#5f5b54, #b3aea6); --line: light-dark(#e5e2dd, #36332e); --accent: light-dark(#0a6b47, #5cc594); --on: light-dark(#ffffff, #0c1f16);
  --test: light-dark(#6d2fd0, #b79af2); --on-test: light-dark(#ffffff, #1d1033);
  font: 400 16px/1.5 ui-sans-serif, "SF Pro Text", "Segoe UI", Roboto, "PingFang SC", "Noto Sans SC", "Microsoft YaHei", sans-serif; font-variant-numeric: tabular-nums; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere; }
h1, p { margin: 0; }
.test { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 8px; padding: 4px 16px; background: var(--test); color: var(--on-test); font-size: 14px; line-height: 20px; }
.test strong { letter-spacing: 0.08em; }
main { max-width: 440px; margin: 0 auto; padding: 32px 16px; }
.name { font-weight: 600; margin-bottom: 16px; }
.card { padding: 24px 16px; margin-bottom: 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); text-align: center; }
h1 { font-size: 16px; font-weight: 400; color: var(--soft); }
.amount { font-size: 40px; line-height: 1.2; font-weight: 600; margin: 4px 0 8px; }
.state { font-size: 14px; color: var(--soft); }
.usual { display: grid; grid-template-columns: 1fr 1fr; gap: 0 8px; }
.usual > .first, .usual > :last-child:nth-child(2) { grid-column: 1 / -1; }
button, .back { display: block; width: 100%; min-height: 44px; margin: 0 0 8px; padding: 9px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--card); color: var(--ink);
  font: inherit; text-align: center; text-decoration: none; cursor: pointer; }
.back:not(.first) { border-color: transparent; background: none; color: var(--accent); }
.first { background: var(--accent); border-color: var(--accent); color: var(--on); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details { margin-top: 16px; border-top: 1px solid var(--line); }
summary { padding: 12px 0; color: var(--soft); cursor: pointer; }
.hint { margin-top: 8px; font-size: 14px; color: var(--soft); }
code { font: 13px/1.5 ui-monospace, monospace; }
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
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7' fill='%236d2fd0'/%3E%3C/svg%3E";

/**
 * The page on which a buyer chooses the outcome of a payment, in the language of their browser. Each choice posts `outcome=<name>` to the
 * page's own address, as a script may.
 */
export function simulatorPage(request: Pick<Request, "headers">, page: SimulatorPage): string {
  const language = chooseLanguage({ accepted: request.headers.get("accept-language") ?? "" });
  const words = simulatorWords[language];
  const { html: lang, dir, colon } = languageInfo(language);
  const { provider, title, amount, state } = page;
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
<aside class="test"><strong>${words.test}</strong><span>${words.noMoney(provider)}</span></aside>
<main>
<p class="name">${words.title(provider)}</p>
<section class="card">
<h1>${title}</h1>
<p class="amount">${amount}</p>
<p class="state">${words.state}${colon}${state}</p>
</section>
!${choices(words, page)}
</main>
</body>
</html>
`;
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
!${others.length === 0 ? "" : html`<details><summary>${words.more}</summary>!${others.map(button)}<p class="hint">${words.script} <code>${outcomes.join(" ")}</code></p></details>`}
</form>!${nothing}`;
}
