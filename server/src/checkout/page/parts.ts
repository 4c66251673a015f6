import { html } from "ghtml";
import type { PaymentMethod } from "#gateways/index.ts";
import { type Icon, icon, methodTile } from "./icons.ts";
import {
  currentPath,
  deadlineTag,
  fill,
  methodName,
  methodsOf,
  operationPath,
  type Page,
  sentenceOf,
  slot,
  sumOf,
  sumTag,
  timeTag,
} from "./page.ts";

/** The amount at the top: the largest text on the page. It can be copied only if it's exactly what to pay. */
export function amountHead(page: Page, amountMinor: number, label: string): string {
  const { view, words } = page;
  // Before a payment method is chosen, this is the order's amount: the requested one may be a little less. A provider requests the amount
  // itself.
  const isCopyable = view.state === "pay" && view.session?.kind !== "gateway";
  const deadline = (view.state === "pay" ? view.session?.expires_at : null) ?? view.order.expires_at;
  return html`<section class="head">
<h1><span class="label">${label}</span> <span class="money" !${isCopyable ? "data-copy-near" : ""}>!${sumTag(page, amountMinor)}</span></h1>
!${isCopyable ? html`<button type="button" class="copy" data-copy="${sumOf(page, amountMinor).plain}" hidden>!${icon("copy")}<span>${words.copy}</span></button>` : ""}
<p class="meta">!${givenReference(page)}!${deadlineTag(page, deadline)}</p>
!${view.order.description === null ? "" : html`<p class="meta">${view.order.description}</p>`}
</section>`;
}

/** Whether the merchant gave the order a reference of their own; otherwise it's the order's id, which means nothing to a buyer. */
export function hasOwnReference({ order }: Page["view"]): boolean {
  return !order.reference.startsWith("ord_");
}

function givenReference({ view }: Page): string {
  return !hasOwnReference(view) ? "" : html`<span>${view.order.reference}</span> <span aria-hidden="true">·</span> `;
}

export type Tone = "paid" | "waiting" | "failed" | "expired";
const shapes: Record<Tone, Icon> = { paid: "check", waiting: "clock", failed: "cross", expired: "hourglass" };

/** A state other than paying: a shape, a word, a color, and sentences about what it means. */
export function statusHead({ tone, shape, title, lines }: { tone: Tone; shape: Icon; title: string; lines: readonly string[] }): string {
  return html`<section class="state ${tone}">
<span class="shape">!${icon(shape)}</span>
<h1>${title}</h1>
!${lines.filter((line) => line !== "").map((line) => html`<p>${line}</p>`)}
</section>`;
}

/** `attention`: something that the buyer should act on, and that isn't a failure. */
export function notice(tone: Tone | "attention", title: string, lines: string[]): string {
  return noticeOf(
    tone,
    title,
    lines.filter((line) => line !== "").map((line) => html`<p>${line}</p>`),
  );
}

function noticeOf(tone: Tone | "attention", title: string, lines: string[]): string {
  const look = tone === "attention" ? "waiting" : tone;
  return html`<div class="notice ${look}">!${icon(tone === "failed" || tone === "attention" ? "alert" : shapes[tone])}<div>
!${title === "" ? "" : html`<p class="strong">${title}</p>`}!${lines}
</div></div>`;
}

/** The last form's refusal in words. The script fills the same place. */
export function problemNotice(page: Page): string {
  const { problem, words } = page;
  const text = problem === null ? "" : problemText(page, problem);
  return html`<div id="problem" class="notice failed" role="alert" tabindex="-1" !${problem === null ? "hidden" : ""}>!${icon("alert")}<div>
<p class="strong">${words.problemTitle}</p><p data-problem>${text}</p></div></div>!${savedNotice(page)}`;
}

/** What a refusal means may depend on what the page shows now. */
function problemText(page: Page, problem: string): string {
  const { view, words } = page;
  if (problem === "session_active" && view.state === "checking") return words.stillChecking;
  if (problem === "payment_link_expired" && !canTell(page)) return words.expiredNoForm;
  if (problem === "payment_link_revoked" && !canTell(page)) return words.revokedNoForm;
  return sentenceOf(words, problem);
}

/** Shown by the script while the buyer's report waits on their device for a connection, or for the end of a limit. */
function savedNotice({ words }: Page): string {
  return html`<div id="kept" class="notice waiting" hidden>!${icon("clock")}<div><p class="strong">${words.savedTitle}</p>
<p data-kept="${words.savedText}" data-limited="${words.savedUntil("{t}")}">${words.savedText}</p></div></div>`;
}

/** Whether the last attempt brought nothing. One that brought a part of the amount has also ended, but the buyer's money arrived. */
export function attemptFailed({ session, rejection }: Page["view"]): boolean {
  return session?.status === "failed" && !session.underpaid && rejection === null;
}

/** The last attempt failed, and the order can still be paid. What a provider refuses may be on the buyer's statement nonetheless. */
export function failedNotice(page: Page): string {
  const { view, words } = page;
  if (!attemptFailed(view)) return "";
  const charged = canTell(page) ? words.chargedReport : words.chargedAsk(view.merchant.name);
  return notice("failed", words.attemptFailed, [charged, words.attemptFailedLead]);
}

/** Why the last reported payment wasn't confirmed, and what to do next where the order can still be paid. */
export function rejectionNotice(page: Page): string {
  const { view, words } = page;
  if (view.rejection === null) return "";
  const { note } = view.rejection;
  const lines = [rejectionReason(page), rejectedNext(page)].map((line) => (line === "" ? "" : html`<p>${line}</p>`));
  if (note !== null) lines.splice(1, 0, html`<p class="quote">${words.noteFrom(view.merchant.name, note)}</p>`);
  return noticeOf("failed", words.rejected(view.merchant.name), lines);
}

/** The reason as a sentence; empty for one that the page doesn't know. */
export function rejectionReason({ view, words }: Page): string {
  const code = view.rejection?.reason_code ?? "";
  return Object.hasOwn(words.reasons, code) ? (words.reasons[code] ?? "") : "";
}

/** A buyer who was charged mustn't pay again, so the two cases are separate, each with its next step on this page. */
function rejectedNext(page: Page): string {
  const { view, words } = page;
  if (view.state !== "choose" && view.state !== "pay") return "";
  if (view.state === "pay" && view.session?.kind === "personal_qr") return words.rejectedReport;
  return view.state === "choose" && canTell(page) ? words.rejectedNext : words.rejectedAsk(view.merchant.name);
}

export function underpaidNotice(page: Page): string {
  const { view, words } = page;
  if (view.order.received_minor === 0 || view.order.rest_minor === 0) return "";
  const { received_minor, amount_minor, rest_minor } = view.order;
  return notice("waiting", words.underpaid(sumOf(page, received_minor).whole, sumOf(page, amount_minor).whole), [
    words.underpaidLead(sumOf(page, rest_minor).whole),
  ]);
}

/** Proof of a transfer: a picture, the last digits, or both. `askChannel`: no payment is open that it could belong to. */
export function proofForm(page: Page, askChannel: boolean): string {
  const { words } = page;
  return html`<form class="proof" method="post" action="${operationPath(page, "voucher")}" enctype="multipart/form-data" data-live>
!${askChannel ? channelRadios(page) : ""}
<div class="field">
<label for="file">${words.file}</label>
<div class="pick">!${icon("photo")}<span data-pick>${words.chooseFile}</span>
<input id="file" name="file" type="file" accept="image/png,image/jpeg,image/webp" aria-describedby="file-hint"></div>
<img class="preview" data-preview alt="" hidden>
<p class="hint" id="file-hint">${words.fileHint}</p>
</div>
<div class="field">
<label for="digits">${words.digits}</label>
<input id="digits" name="transaction_reference" type="text" inputmode="numeric" autocomplete="off" maxlength="32" pattern="[0-9A-Za-z]{4,32}" aria-describedby="digits-hint">
<p class="hint" id="digits-hint">${words.digitsHint}</p>
</div>
<progress max="100" value="0" aria-label="${words.sending}" hidden></progress>
<button class="button primary" data-busy="${words.sending}">${words.send}</button>
!${
    askChannel
      ? html`<button class="button plain" formaction="${operationPath(page, "report")}" formenctype="application/x-www-form-urlencoded">${words.noProof}</button>`
      : ""
  }
</form>`;
}

/** The methods for which a buyer has to report that they paid; providers report it themselves. */
function personalOf(page: Page): PaymentMethod[] {
  return methodsOf(page, page.view.channels).filter(({ kind }) => kind === "personal_qr");
}

/** The method of the shown payment is checked; without one, the buyer has to choose. */
function channelRadios(page: Page): string {
  const { view, words } = page;
  const methods = personalOf(page);
  const isUsed = ({ name }: PaymentMethod) => methods.length === 1 || name === view.session?.method;
  return html`<fieldset class="field"><legend>${words.paidWith}</legend><div class="radios">
!${methods.map(
    (
      method,
    ) => html`<label class="radio"><input type="radio" name="gateway" value="${method.name}" required !${isUsed(method) ? "checked" : ""}>
!${methodTile(method)}<span>${methodName(page, method)}</span></label>`,
  )}
</div></fieldset>`;
}

/** Whether the page has the form for a buyer who has already paid. */
export function canTell(page: Page): boolean {
  return page.view.can_report && personalOf(page).length > 0;
}

/** A code was shown, a proof was rejected, or money arrived without a code: a person can assign an unrequested transfer to an order. */
export function mayHavePaid({ session, rejection, order }: Page["view"]): boolean {
  return session !== null || rejection !== null || order.received_minor > 0;
}

/** For a buyer who has already paid, on a page that no longer (or not yet) takes a payment. */
export function alreadyPaid(page: Page, open = false): string {
  const { view, words } = page;
  if (!canTell(page)) return "";
  return html`<details class="already" !${open ? "open" : ""}><summary>${words.alreadyPaid}!${icon("next")}</summary>
<p class="soft">${words.alreadyPaidLead(view.merchant.name)}</p>
!${proofForm(page, true)}
</details>`;
}

/** How to reach a person, on every page. */
export function trouble(page: Page): string {
  const { view, words } = page;
  const { name, contact } = view.merchant;
  const way =
    contact === null
      ? html`${words.contactUnknown(name)}`
      : html`<a href="${contact}" rel="noreferrer noopener">${words.contact(name)}</a>`;
  return html`<p class="trouble">!${fill(words.trouble(slot), way)}</p>`;
}

export function simulateForm(page: Page): string {
  const { view, words } = page;
  if (!view.simulate) return "";
  return html`<form class="simulate" method="post" action="${operationPath(page, "simulate")}" data-live>
<button class="button test">${words.simulate}</button><p class="hint">${words.simulateLead}</p>
</form>`;
}

/** Where the page promises to update: without its script it doesn't, so there is a link that shows the current status. */
export function statusLink(page: Page): string {
  const { words } = page;
  return html`<noscript><div class="stack"><p class="hint centred">${words.noUpdates}</p>
<a class="button" href="${currentPath(page)}">${words.checkStatus}</a></div></noscript>`;
}

export function proofReceived(page: Page): string {
  const { view, words } = page;
  if (view.proof === null) return "";
  return html`<p class="received">!${icon("check")}<span>!${fill(words.proofReceived(slot), timeTag(page, view.proof.submitted_at))}</span></p>`;
}
