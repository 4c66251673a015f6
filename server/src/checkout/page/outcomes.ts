import { html } from "ghtml";
import { icon } from "./icons.ts";
import { demoMark, fill, methodName, operationPath, type Page, pagePath, slot, sumOf, sumTag, timeTag } from "./page.ts";
import {
  alreadyPaid,
  canTell,
  hasOwnReference,
  mayHavePaid,
  notice,
  problemNotice,
  proofForm,
  proofReceived,
  rejectionNotice,
  rejectionReason,
  simulateForm,
  statusHead,
  statusLink,
  trouble,
} from "./parts.ts";

/** The buyer reported a payment and the merchant reviews it: what happens next, how long it takes, and what would help. */
export function checking(page: Page): string {
  const { view, words } = page;
  const name = view.merchant.name;
  const reportedAt = view.reported_at === null ? "" : html`<p>!${timeTag(page, view.reported_at)}</p>`;
  const usual = view.usual_review_minutes === null ? words.usualUnknown : words.usual(view.usual_review_minutes);
  return html`!${problemNotice(page)}
<section class="state waiting">
<span class="shape">!${icon("clock")}</span>
<h1>${words.checking}</h1>
<p class="sum">!${sumTag(page, view.session?.payable_amount_minor ?? view.order.rest_minor)}</p>
!${hasOwnReference(view) ? html`<p class="meta">${view.order.reference}</p>` : ""}
</section>
<ol class="stages">
<li class="done">!${icon("check")}<div><p class="strong">${words.stageReported} <span class="unseen">${words.done}</span></p>!${reportedAt}</div></li>
<li class="now">!${icon("clock")}<div><p class="strong">${words.stageChecking(name)} <span class="unseen">${words.now}</span></p><p>${usual}</p></div></li>
<li>!${icon("minus")}<div><p class="strong">${words.stageDone}</p><p>${words.mayClose}</p></div></li>
</ol>
!${statusLink(page)}
!${view.can_prove ? proofPart(page) : proofReceived(page)}
!${withdrawForm(page)}
!${simulateForm(page)}
!${trouble(page)}`;
}

function proofPart(page: Page): string {
  const { view, words } = page;
  if (view.proof !== null) {
    return html`<section class="card left">!${proofReceived(page)}
<details class="more"><summary>${words.sendAnother}!${icon("next")}</summary>!${proofForm(page, false)}</details></section>`;
  }
  return html`<section class="card left"><h2>${words.proofTitle}</h2><p class="soft">${words.proofLead(view.merchant.name)}</p>
!${proofForm(page, false)}</section>`;
}

/** The way back for a buyer who pressed too early, or wants to pay another way after all. */
function withdrawForm(page: Page): string {
  const { view, words } = page;
  if (!view.can_withdraw) return "";
  return html`<form method="post" action="${operationPath(page, "report/withdraw")}" data-live>
<button class="button plain">${words.withdraw}</button><p class="hint centred">${words.withdrawLead}</p></form>`;
}

const tick =
  '<svg class="tick" viewBox="0 0 64 64" aria-hidden="true"><circle cx="32" cy="32" r="29"/><path d="M20 33l8.5 8.5L45 25"/></svg>';

export function paid(page: Page): string {
  const { view, words } = page;
  const { order, merchant } = view;
  const excess = order.received_minor - order.amount_minor;
  return html`<section class="state paid">
!${tick}
<h1>${words.paid}</h1>
<p class="sum">!${sumTag(page, order.received_minor)}</p>
<p>${words.paidLead(merchant.name)}</p>
!${order.paid_late ? html`<p class="soft">${words.paidLate(merchant.name)}</p>` : ""}
</section>
!${excess > 0 ? notice("attention", words.overpaid(sumOf(page, excess).whole), [words.overpaidLead(merchant.name)]) : ""}
!${moneyBack(page)}
!${paidFacts(page, order.has_receipt)}
<div class="stack">
!${order.return_url === null ? "" : html`<a class="button ${view.refund_claims.length === 0 ? "primary" : ""}" href="${order.return_url}" rel="noreferrer noopener">${words.returnTo(merchant.name)}</a>`}
!${order.has_receipt ? html`<a class="button" href="${pagePath(page, "/receipt")}">!${icon("receipt")}${words.viewReceipt}</a>` : ""}
</div>
!${trouble(page)}`;
}

/**
 * Refunds that wait for the buyer to say where the money goes, each with a link to the page for that. Also refunds that didn't reach them.
 */
function moneyBack(page: Page): string {
  const { view, words } = page;
  const claims = view.refund_claims.map(
    ({ amount_minor, url }) => html`<section class="card left"><h2>${words.claimTitle(sumOf(page, amount_minor).whole)}</h2>
<p class="soft">${words.claimLead(view.merchant.name)}</p>
<a class="button primary" href="${url}" rel="noreferrer noopener">${words.claim}</a></section>`,
  );
  return [returnedRefund(page), ...claims].join("\n");
}

/** A refund that came back, which the buyer may have heard of: the merchant has it, and they can ask there. */
function returnedRefund(page: Page): string {
  const { view, words } = page;
  const { returned_minor } = view.order;
  if (returned_minor === 0) return "";
  return notice("attention", words.returnedTitle(sumOf(page, returned_minor).whole), [words.returnedLead(view.merchant.name)]);
}

/** The order's id is only shown where it's the one thing to name the payment by: the receipt has it too. */
function paidFacts(page: Page, hasReceipt: boolean): string {
  const { view, words } = page;
  const rows: [string, string][] = [];
  if (hasOwnReference(view) || !hasReceipt) rows.push([words.reference, html`<span class="reference">${view.order.reference}</span>`]);
  if (view.order.description !== null) rows.push([words.description, html`${view.order.description}`]);
  if (view.order.paid_at !== null) rows.push([words.paidAt, timeTag(page, view.order.paid_at, "full")]);
  // The buyer sees above what they sent: a lowered amount, or more than was requested.
  if (view.order.received_minor !== view.order.amount_minor)
    rows.push([words.orderAmount, html`${sumOf(page, view.order.amount_minor).whole}`]);
  if (view.order.refunded_minor > 0) rows.push([words.refunded, html`${sumOf(page, view.order.refunded_minor).whole}`]);
  const method = view.session === null ? null : page.methods.find(view.session.method);
  if (method !== null) rows.push([words.method, html`${methodName(page, method)}!${demoMark(page, method)}`]);
  return html`<dl class="table">!${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>!${value}</dd></div>`)}</dl>`;
}

/** A printable receipt with the same look. */
export function receipt(page: Page): string {
  const { view, words } = page;
  return html`<a class="backlink" href="${pagePath(page)}">!${icon("back")}${words.back}</a>
<section class="receipt"><h1>${words.receipt}</h1>
<p class="soft">${view.merchant.name}</p>
<p class="sum">!${sumTag(page, view.order.received_minor)}</p>
<p class="paidmark">!${icon("check")}${words.paidMark}</p>
!${paidFacts(page, false)}
!${view.livemode ? "" : html`<p class="test-line">${words.testWord}: ${words.testMeaning}</p>`}
</section>
!${moneyBack(page)}
<button type="button" class="button" data-print hidden>!${icon("printer")}${words.print}</button>`;
}

/** Final states, each saying what the buyer can still do. */
export function deadEnd(page: Page, state: DeadEnd): string {
  const { view, words } = page;
  const name = view.merchant.name;
  const ends = {
    expired: { tone: "expired", shape: "hourglass", lines: [wasShownCode(page) ? words.expiredCode : "", expiredLead(page)] },
    revoked: { tone: "expired", shape: "minus", lines: [words.revokedLead(name)] },
    canceled: { tone: "expired", shape: "cross", lines: [canceledLead(page)] },
    failed: { tone: "failed", shape: "cross", lines: failedLines(page) },
  } as const;
  const isContactNext = state === "failed" && isMismatch(page) && view.merchant.contact !== null;
  return html`!${problemNotice(page)}
!${statusHead({ ...ends[state], title: deadEndTitle(page, state) })}
<dl class="table">
<div><dt>${words.reference}</dt><dd><span class="reference" data-copy-near>${view.order.reference}</span>
<button type="button" class="copy" data-copy="${view.order.reference}" hidden>!${icon("copy")}<span>${words.copyReference}</span></button></dd></div>
<div><dt>${words.amount}</dt><dd>${sumOf(page, view.order.amount_minor).whole}</dd></div>
</dl>
!${moneyBack(page)}!${state === "failed" ? failedNote(page) : rejectionNotice(page)}!${underpaidLine(page)}!${state === "canceled" ? canceledNews(page) : ""}
!${isContactNext ? html`<a class="button primary" href="${view.merchant.contact}" rel="noreferrer noopener">${words.contact(name)}</a>` : ""}
!${alreadyPaid(page, state === "failed" && !isMismatch(page))}
!${simulateForm(page)}
!${isContactNext ? "" : trouble(page)}`;
}

export type DeadEnd = "expired" | "revoked" | "canceled" | "failed";

export function deadEndTitle(page: Page, state: DeadEnd): string {
  return state === "failed" && isMismatch(page) ? page.words.mismatched : page.words[state];
}

/** The merchant has money for this order, but not its amount: another report wouldn't help. */
function isMismatch({ view }: Page): boolean {
  return view.rejection?.reason_code === "amount_mismatch";
}

/** Why the payment failed, and what to do. */
function failedLines(page: Page): string[] {
  const { view, words } = page;
  const { received_minor, amount_minor } = view.order;
  const name = view.merchant.name;
  const reason = rejectionReason(page);
  if (!isMismatch(page)) return [reason, canTell(page) ? words.failedLead(name) : words.failedElsewhere(name)];
  const received = words.mismatchedBy(name, sumOf(page, received_minor).whole, sumOf(page, amount_minor).whole);
  return [received_minor > 0 ? received : words.mismatchedSomehow(name), words.mismatchedNext];
}

function failedNote({ view, words }: Page): string {
  const note = view.rejection?.note ?? null;
  return note === null ? "" : html`<section class="says"><h2>${words.merchantSays(view.merchant.name)}</h2><p>${note}</p></section>`;
}

/** Only says that the buyer wasn't charged if they can't have paid and the page takes no reports. */
function expiredLead(page: Page): string {
  const { view, words } = page;
  if (canTell(page)) return words.expiredLead(view.merchant.name);
  return mayHavePaid(view) ? words.expiredElsewhere(view.merchant.name) : words.expiredUnpaid(view.merchant.name);
}

/** A wallet's code can be paid after its time too, from a saved picture. */
function wasShownCode({ view }: Page): boolean {
  return view.session?.kind === "personal_qr";
}

function canceledLead(page: Page): string {
  const { view, words } = page;
  if (view.order.held_minor > 0) return words.canceledHeld;
  if (view.reported_at !== null) return words.canceledReported(view.merchant.name);
  if (canTell(page)) return words.canceledLead(view.merchant.name);
  return view.can_report ? words.canceledElsewhere(view.merchant.name) : words.canceledUnpaid(view.merchant.name);
}

/** What arrived for a canceled order, and what the buyer has reported since. */
function canceledNews(page: Page): string {
  const { view, words } = page;
  const { held_minor, amount_minor } = view.order;
  const name = view.merchant.name;
  const held = sumOf(page, held_minor).whole;
  const arrived = held_minor < amount_minor ? words.underpaid(held, sumOf(page, amount_minor).whole) : words.heldAll(held);
  return html`!${held_minor === 0 ? "" : notice("waiting", arrived, [words.heldNext(name)])}
!${view.reported_at === null ? "" : reportedNotice(page, view.reported_at)}!${view.reported_at !== null && view.can_prove ? proofPart(page) : ""}`;
}

function reportedNotice(page: Page, at: Date): string {
  const { view, words } = page;
  return html`<div class="notice waiting">!${icon("clock")}<div><p class="strong">!${fill(words.reportedAt(slot), timeTag(page, at))}</p>
<p>${words.reportedNext(view.merchant.name)}</p></div></div>`;
}

function underpaidLine(page: Page): string {
  const { view, words } = page;
  if (view.order.received_minor === 0 || view.order.rest_minor === 0) return "";
  if (view.state === "failed" && isMismatch(page)) return "";
  return html`<p class="soft">${words.underpaid(sumOf(page, view.order.received_minor).whole, sumOf(page, view.order.amount_minor).whole)}</p>`;
}
