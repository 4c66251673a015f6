import { html } from "ghtml";
import type { PaymentMethod } from "#gateways/index.ts";
import type { Away } from "../lead-away.ts";
import type { PaySession } from "../pay-view.ts";
import { icon, methodTile } from "./icons.ts";
import { demoMark, methodName, operationPath, type Page, pagePath, sumOf, sumTag } from "./page.ts";
import { amountHead, notice, problemNotice, rejectionNotice, simulateForm, statusLink, trouble, underpaidNotice } from "./parts.ts";
import { label, tabs } from "./paying.ts";

/** A provider takes this payment and reports when it's paid: shows its code, or the link to where it's paid. The buyer reports nothing. */
export function payingGateway(page: Page, session: PaySession, method: PaymentMethod): string {
  return html`!${problemNotice(page)}
!${amountHead(page, session.payable_amount_minor, label(page))}
!${rejectionNotice(page)}!${underpaidNotice(page)}
!${tabs(page, method)}
!${session.demo ? html`<p class="demo-note">!${page.view.channels.length < 2 ? demoMark(page, method) : ""}<span>${page.words.demoLead}</span></p>` : ""}
!${session.leads_away ? wayOut(page, method) : code(page, session, method)}
!${simulateForm(page)}
!${trouble(page)}`;
}

function wayOut(page: Page, method: PaymentMethod): string {
  const { words } = page;
  const name = methodName(page, method);
  return html`!${startForm(page, method, { text: words.goOn(name), look: "primary" })}
<p class="hint centred">${words.paysAway}</p>`;
}

/** Starts the payment once more: returns the open one if it fits this device and this buyer, and still works. */
function startForm(page: Page, method: PaymentMethod, { text, look }: { text: string; look: "primary" | "" }): string {
  return html`<form method="post" action="${operationPath(page, "initiate")}" data-live>
<button class="button ${look}" name="gateway" value="${method.name}">${text}</button></form>`;
}

function code(page: Page, session: PaySession, method: PaymentMethod): string {
  if (session.qr_payload === null) return expiredCode(page, method);
  const { words } = page;
  const sum = sumOf(page, session.payable_amount_minor).whole;
  const name = methodName(page, method);
  const isDesktop = page.device === "desktop";
  const format = isDesktop ? "svg" : "png";
  const steps = session.demo
    ? [words.stepSimulate, words.stepWait]
    : [...openCodeSteps(page, method), words.stepPayShown(sum), words.stepWait];
  return html`!${isDesktop || session.device === page.device ? "" : startForm(page, method, { text: words.payHere, look: "primary" })}
!${isDesktop || page.device === "phone" || !session.in_browser ? "" : html`<div class="notice waiting">!${icon("open")}<p>${words.inBrowser}</p></div>`}
<section class="card"><span class="corner">!${methodTile(method)}</span>
<div class="code"><img src="${pictureOf(page, session, format)}" width="272" height="272" alt="${words.qrAlt(name, sum)}"></div>
</section>
!${isDesktop || isForCameraOnly(method) ? "" : html`<a class="button" href="${pagePath(page, "/qr.png")}" download="${session.gateway}.png">!${icon("download")}${words.save}</a>`}
<h2 class="unseen">${words.whatToDo}</h2>
!${simulatorLink(page, session, name)}
<ol class="steps">!${steps.map((step) => html`<li><span>${step}</span></li>`)}</ol>
!${statusLink(page)}`;
}

/** The code worked for a shorter time than its payment, which shows another one when it's started again. */
function expiredCode(page: Page, method: PaymentMethod): string {
  const { words } = page;
  return html`<section class="card"><span class="corner">!${methodTile(method)}</span><p class="soft">${words.codeOver}</p></section>
!${startForm(page, method, { text: words.newCode, look: "primary" })}
<p class="hint centred">${words.codeOverPaid}</p>
!${statusLink(page)}`;
}

/** The picture of a code. Every code has its own address, so that a browser doesn't show an earlier one again. */
function pictureOf({ view }: Page, session: PaySession, format: "svg" | "png"): string {
  return `/pay/${view.token}/qr.${format}?of=${session.gateway}-${session.expires_at?.getTime() ?? 0}`;
}

/** No wallet reads a simulated provider's code: its page, which is on this host, opens next to this one, as a phone would show it. */
function simulatorLink({ words }: Page, { demo, qr_payload }: PaySession, name: string): string {
  const address = demo && qr_payload !== null ? URL.parse(qr_payload) : null;
  if (address === null) return "";
  return html`<a class="button primary" href="${address.pathname}${address.search}" target="_blank" rel="noopener noreferrer">!${icon("open")}${words.openDemo(name)}</a>`;
}

function isForCameraOnly(method: PaymentMethod): boolean {
  return method.kind === "gateway" && method.codesForCameraOnly === true;
}

function openCodeSteps(page: Page, method: PaymentMethod): string[] {
  const { device, words } = page;
  const name = methodName(page, method);
  if (device === "desktop") return [words.stepScan(name)];
  return isForCameraOnly(method) ? [words.stepElsewhere(name)] : [words.stepSave, words.stepOpenScan(name)];
}

/** The buyer was at the provider, which is now being queried. The page updates automatically. */
export function checkingAtGateway(page: Page): string {
  const { view, words } = page;
  const { session } = view;
  const method = session === null ? null : page.methods.find(session.method);
  const name = method === null ? "" : methodName(page, method);
  return html`!${problemNotice(page)}
<section class="state waiting">
<span class="shape">!${icon("clock")}</span>
<h1>${words.checking}</h1>
<p class="sum">!${sumTag(page, session?.payable_amount_minor ?? view.order.rest_minor)}</p>
<p>${words.checkingAt(name)}</p>
</section>
!${notice("waiting", "", [words.checkingMay])}
!${statusLink(page)}
!${method === null || session?.leads_away !== true ? "" : html`<p class="hint centred">${words.notPaidYet}</p>!${startForm(page, method, { text: words.goOn(name), look: "" })}`}
!${simulateForm(page)}
!${trouble(page)}`;
}

/** The redirect to the payment. The browser continues automatically; its button does the same. */
export function leading(page: Page, method: PaymentMethod, action: Exclude<Away, Inside>): string {
  const { words } = page;
  const name = methodName(page, method);
  return html`<section class="state waiting"><span class="shape">!${methodTile(method)}</span>
<h1>${words.going(name)}!${demoMark(page, method)}</h1><p>${words.goingLead}</p></section>
!${buttonOf(action, words.goOn(name))}
!${trouble(page)}`;
}

/** Without a path: the provider may need the page's site, but no one needs the link. */
function buttonOf(action: Exclude<Away, Inside>, text: string): string {
  if (action.type === "redirect") return html`<a class="button primary" href="${action.url}" referrerpolicy="strict-origin">${text}</a>`;
  return html`<form method="post" action="${action.action}" data-auto>
!${Object.entries(action.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="button primary">${text}</button></form>`;
}

export type Inside = Extract<Away, { type: "wechat_jsapi" }>;

/** The payment opens over this page on tap. The app's result is shown but proves nothing: the page keeps polling. */
export function payingInside(page: Page, method: PaymentMethod, action: Inside): string {
  const { view, words } = page;
  const name = methodName(page, method);
  const params = JSON.stringify(action.params);
  const notes = (how: string, tone: "waiting" | "failed", text: string) =>
    html`<div data-note="${how}" hidden>!${notice(tone, "", [text])}</div>`;
  return html`!${problemNotice(page)}
!${amountHead(page, view.session?.payable_amount_minor ?? view.order.rest_minor, label(page))}
<section class="card"><span class="corner">!${methodTile(method)}</span><p class="soft">${words.opensHere(name)}</p></section>
<div class="notes" role="status">!${notes("cancel", "waiting", words.noteCanceled)}!${notes("fail", "failed", words.noteFailed(name))}!${notes("outside", "failed", words.noteOutside(name))}</div>
<noscript>!${notice("failed", "", [words.needsScript])}</noscript>
<button type="button" class="button primary" data-jsapi="${params}" data-back="${pagePath(page)}" hidden>${words.payWith(name)}</button>
<p class="hint centred"><a href="${pagePath(page)}">${words.otherWay}</a></p>
!${simulateForm(page)}
!${trouble(page)}`;
}
