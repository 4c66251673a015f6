import { html } from "ghtml";
import { firstLanguage, languageInfo } from "#platform/index.ts";
import type { SimulatedOutcome } from "./simulator.ts";

const words: Readonly<Record<SimulatedOutcome, string>> = {
  paid: "Pay",
  declined: "Decline",
  canceled: "Cancel",
  expired: "Let it expire",
  processing: "Approve, decide later",
  late: "Let it expire, then pay",
  silent: "Pay, send no callback",
  duplicate: "Pay, send the callback three times",
  out_of_order: "Pay, send callbacks out of order",
  underpaid: "Pay too little",
  overpaid: "Pay too much",
  disputed: "Dispute the payment",
  dispute_won: "Decide the dispute for the merchant",
  dispute_lost: "Decide the dispute for the buyer",
};

export interface SimulatorPage {
  /** The provider's name. */
  provider: string;
  title: string;
  /** As the provider writes it: `12.34 EUR`. */
  amount: string;
  state: string;
  outcomes: readonly SimulatedOutcome[];
  /** Where the buyer goes back to; null while there is nothing to go back to. */
  back: string | null;
}

/** The page on which a buyer chooses what becomes of a payment. Each choice posts `outcome=<name>` to the page's own address, as a script may. */
export function simulatorPage({ provider, title, amount, state, outcomes, back }: SimulatorPage): string {
  return html`<!doctype html>
<html lang="${languageInfo(firstLanguage).html}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${provider} simulator</title>
    <style>
      :root { color-scheme: light dark; font-family: system-ui, sans-serif; }
      body { margin: 0; background: Canvas; color: CanvasText; }
      p.test { margin: 0; padding: 0.5rem 1rem; background: #6d3fc4; color: #fff; text-align: center; }
      main { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem; }
      h1 { font-size: 1.25rem; margin: 0 0 0.25rem; overflow-wrap: anywhere; }
      .amount { font-size: 2rem; font-weight: 700; margin: 0 0 0.25rem; }
      button, a.back { display: block; box-sizing: border-box; width: 100%; min-height: 2.75rem; margin: 0 0 0.5rem; padding: 0.5rem 0.75rem; font: inherit; text-align: start; border: 1px solid GrayText; border-radius: 0.5rem; background: Canvas; color: CanvasText; }
      button.first { background: #0a7a52; border-color: #0a7a52; color: #fff; font-weight: 600; }
      a.back { text-align: center; }
    </style>
  </head>
  <body>
    <p class="test">TEST · Simulated ${provider}. No money moves.</p>
    <main>
      <h1>${title}</h1>
      <p class="amount">${amount}</p>
      <p>Status: ${state}</p>
      <form method="post">
        !${outcomes.map((outcome, index) => html`<button name="outcome" value="${outcome}" class="${index === 0 ? "first" : ""}">${words[outcome]}</button>`)}
      </form>
      !${back === null ? "" : html`<a class="back" href="${back}">Back to the shop</a>`}
    </main>
  </body>
</html>`;
}
