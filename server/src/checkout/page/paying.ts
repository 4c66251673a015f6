import { html } from "ghtml";
import type { PaymentMethod } from "#gateways/index.ts";
import { languageOf } from "#platform/index.ts";
import type { PaySession } from "../pay-view.ts";
import { icon, methodTile } from "./icons.ts";
import { appName, currentPath, demoMark, methodName, methodsOf, operationPath, type Page, pagePath, sumOf } from "./page.ts";
import {
  alreadyPaid,
  amountHead,
  canTell,
  failedNotice,
  mayHavePaid,
  notice,
  problemNotice,
  rejectionNotice,
  simulateForm,
  trouble,
  underpaidNotice,
} from "./parts.ts";
import { firstAction, stepsFor } from "./steps.ts";

export function label(page: Page): string {
  return page.view.order.received_minor > 0 ? page.words.payRest : page.words.pay;
}

/** Nothing is started yet: the amount and the payment methods. */
export function choosing(page: Page): string {
  const { view, words } = page;
  const methods =
    view.channels.length === 0
      ? noMethods(page)
      : html`<h2>${words.chooseHow}</h2><form class="ways" method="post" action="${operationPath(page, "initiate")}" data-live>
!${methodsOf(page, view.channels).map((method) => methodButton(page, method))}
</form>!${methodsOf(page, view.channels).every(({ kind }) => kind === "personal_qr") ? html`<p class="hint">${words.exactNext}</p>` : ""}`;
  return html`!${problemNotice(page)}
!${amountHead(page, view.order.rest_minor, label(page))}
!${rejectionNotice(page)}!${failedNotice(page)}!${underpaidNotice(page)}
!${overNotice(page)}
!${methods}
!${alreadyPaid(page, view.rejection !== null || over(page) === "personal_qr")}
!${simulateForm(page)}
!${trouble(page)}`;
}

/** Nothing here can take the payment at the moment. */
function noMethods(page: Page): string {
  const { view, words } = page;
  const name = view.merchant.name;
  const charged = mayHavePaid(view) ? words.paidAlready(name) : words.notCharged;
  return html`!${notice("attention", words.noChannels, [words.noChannelsLead(name), charged])}
<a class="button" href="${currentPath(page)}">${words.tryAgain}</a>`;
}

/** The kind of the last payment if its time is over. A worker notes that a moment later. */
function over({ view, now }: Page): PaySession["kind"] | null {
  const { session } = view;
  if (session === null) return null;
  const isLate = session.status === "pending" && session.expires_at !== null && session.expires_at <= now;
  return session.status === "expired" || isLate ? session.kind : null;
}

/** A buyer who returns after the time of a wallet's code may have paid it, so they read that first. */
function overNotice(page: Page): string {
  const { view, words } = page;
  const kind = over(page);
  if (kind === null || view.channels.length === 0) return "";
  if (kind === "gateway") return gatewayOverNotice(page);
  const paid = canTell(page) ? words.paidNotAgain : words.paidAlready(view.merchant.name);
  return notice("expired", words.sessionOver, [paid, words.sessionOverNext]);
}

/** The provider is queried before its payment is noted as expired: until then, the buyer may have paid in the last seconds. */
function gatewayOverNotice(page: Page): string {
  const { session, merchant } = page.view;
  const { words } = page;
  const isOpen = session?.status === "pending";
  if (session === null || !(isOpen || session.outcome_unknown)) return notice("expired", "", [words.notInTime]);
  const method = page.methods.find(session.method);
  const name = method === null ? session.method : methodName(page, method);
  return isOpen ? notice("waiting", "", [words.lastUnsure(name)]) : notice("attention", "", [words.lastUnknown(name, merchant.name)]);
}

/** A payment is open: its code, what to do on this device, and the button that reports the payment. */
export function paying(page: Page, session: PaySession, method: PaymentMethod): string {
  const { words } = page;
  return html`!${problemNotice(page)}
!${amountHead(page, session.payable_amount_minor, label(page))}
!${rejectionNotice(page)}!${underpaidNotice(page)}
!${tabs(page, method)}
!${codeCard(page, session, method)}
<h2 class="unseen">${words.whatToDo}</h2>
<ol class="steps">!${stepsFor(page, session, method).map((step) => html`<li><span>${step}</span></li>`)}</ol>
!${merchantWords(page, session)}
!${reportForm(page, session, method)}
!${simulateForm(page)}
!${trouble(page)}`;
}

/**
 * Names the code that is shown: by the time the buyer reports, another one may have been opened in another window. Its button is only
 * filled once nothing else comes first; the script sees when that was used.
 */
function reportForm(page: Page, session: PaySession, method: PaymentMethod): string {
  return html`<form class="act" method="post" action="${operationPath(page, "report")}" data-live>
<input type="hidden" name="gateway" value="${session.gateway}">
<button class="button ${firstAction(page, session, method) === null ? "primary" : ""}">${page.words.havePaid}</button></form>`;
}

/** The chosen payment method, and the others one tap away: side by side if there are two, in a list that opens if they wouldn't fit. */
export function tabs(page: Page, chosen: PaymentMethod): string {
  const { view, words } = page;
  if (view.channels.length < 2) return "";
  if (view.channels.length > 2) return otherMethods(page, chosen);
  return html`<form class="tabs" method="post" action="${operationPath(page, "initiate")}" aria-label="${words.paymentMethods}" data-live>
!${methodsOf(page, view.channels).map((method) =>
    method === chosen
      ? html`<span class="tab chosen">!${nameTag(page, method)}<span class="unseen">${words.chosen}</span></span>`
      : html`<button class="tab" name="gateway" value="${method.name}">!${nameTag(page, method)}</button>`,
  )}
</form>`;
}

function otherMethods(page: Page, chosen: PaymentMethod): string {
  const { view, words } = page;
  const others = methodsOf(page, view.channels).filter((method) => method !== chosen);
  return html`<details class="other-ways"><summary>!${nameTag(page, chosen)}<span class="unseen">${words.chosen}</span><span class="change">${words.change}</span></summary>
<form class="ways" method="post" action="${operationPath(page, "initiate")}" aria-label="${words.paymentMethods}" data-live>
!${others.map((method) => methodButton(page, method))}
</form></details>`;
}

function methodButton(page: Page, method: PaymentMethod): string {
  return html`<button class="way" name="gateway" value="${method.name}">!${nameTag(page, method)}!${icon("next")}</button>`;
}

function nameTag(page: Page, method: PaymentMethod): string {
  return html`!${methodTile(method)}<span>${methodName(page, method)}!${demoMark(page, method)}</span>`;
}

function codeCard(page: Page, session: PaySession, method: PaymentMethod): string {
  const { view, words } = page;
  const sum = sumOf(page, session.payable_amount_minor);
  // Phones save a picture by long-pressing it, and their albums don't support SVG; a profile may only have a photograph.
  const format = page.device === "desktop" && session.qr_payload !== null ? "svg" : "png";
  const source = `/pay/${view.token}/qr.${format}?of=${session.gateway}`;
  return html`<section class="card">
<span class="corner">!${methodTile(method)}</span>
<div class="code"><img src="${source}" width="272" height="272" alt="${words.qrAlt(methodName(page, method), sum.whole)}"></div>
<dl class="facts">
!${session.payee_name === null ? "" : html`<div><dt>${words.payee}</dt><dd><bdi>${session.payee_name}</bdi></dd></div>`}
<div><dt>${words.exactly}</dt><dd class="strong">${sum.whole}</dd></div>
</dl>
!${session.remark_code === null ? "" : remark(page, session.remark_code)}
!${appLinks(page, session, method)}
<p class="hint">${reason(page, session)}</p>
</section>`;
}

function reason(page: Page, session: PaySession): string {
  const difference = page.view.order.rest_minor - session.payable_amount_minor;
  return difference > 0 ? page.words.lowered(sumOf(page, difference).whole) : page.words.typeIt;
}

function remark(page: Page, code: string): string {
  const { words } = page;
  return html`<div class="remark"><p>${words.remark}</p><div class="row"><p class="digits" data-copy-near>${code}</p>
<button type="button" class="copy" data-copy="${code}" hidden>!${icon("copy")}<span>${words.copyCode}</span></button></div>
<p class="hint">${words.remarkWhy}</p></div>`;
}

/** A phone can't scan a code on its own screen, so the picture and the app are one tap away. */
function appLinks(page: Page, session: PaySession, method: PaymentMethod): string {
  const { device, words } = page;
  if (device === "desktop") return "";
  const into = device === "phone" ? appAddress(session, method) : null;
  const first = firstAction(page, session, method);
  return html`<div class="pair">
<a class="button ${first === "save" ? "primary" : ""}" href="${pagePath(page, "/qr.png")}" download="${session.gateway}.png">!${icon("download")}${words.save}</a>
!${into === null ? "" : html`<a class="button ${first === "open" ? "primary" : ""}" href="${into}">!${icon("open")}${words.open(appName(page, method))}</a>`}
</div>`;
}

/** Address that opens the app at the code, if the app has such addresses. */
function appAddress({ qr_payload }: PaySession, { app }: PaymentMethod): string | null {
  if (app?.addressOf === undefined) return app?.address ?? null;
  return qr_payload === null ? app.address : app.addressOf(qr_payload);
}

function merchantWords(page: Page, session: PaySession): string {
  const tag = Object.keys(session.instructions).find((key) => languageOf(key) === page.lang);
  const text = tag === undefined ? undefined : session.instructions[tag];
  if (text === undefined || text.trim() === "") return "";
  return html`<section class="says"><h2>${page.words.merchantSays(page.view.merchant.name)}</h2><p>${text}</p></section>`;
}
