import { html } from "ghtml";
import type { Leading } from "../lead-away.ts";
import type { PayView } from "../pay-view.ts";
import { frame, main } from "./frame.ts";
import { checkingAtGateway, leading, payingGateway, payingInside } from "./gateway.ts";
import { icon } from "./icons.ts";
import { checking, deadEnd, deadEndTitle, paid, receipt } from "./outcomes.ts";
import { methodName, type Page, type PageRequest, query, sentenceOf, sumOf } from "./page.ts";
import { attemptFailed } from "./parts.ts";
import { choosing, paying } from "./paying.ts";
import { payWords, type Words } from "./words/words.ts";

/** The hosted page of one payment as a whole document. Pure: the same view and request give the same text. */
export function renderPayPage(view: PayView, request: PageRequest): string {
  const page: Page = { ...request, view, words: payWords[request.lang] };
  return document(page, { path: `/pay/${view.token}`, ...body(page) });
}

/** The receipt of a paid order, for printing. */
export function renderReceipt(view: PayView, request: PageRequest): string {
  const page: Page = { ...request, view, words: payWords[request.lang] };
  return document(page, { path: `/pay/${view.token}/receipt`, say: page.words.receipt, content: receipt(page) });
}

/** The page that redirects a buyer to where they pay; works without its script if that is possible at all. */
export function renderLeading({ view, action, method: name }: Leading, request: PageRequest): string {
  const page: Page = { ...request, view, words: payWords[request.lang] };
  const method = page.methods.find(name);
  if (method === null) throw new Error("a payment's method vanished");
  const path = `/pay/${view.token}/go`;
  if (action.type === "wechat_jsapi")
    return document(page, { path, say: page.words.payWith(methodName(page, method)), content: payingInside(page, method, action) });
  const part = { path, say: page.words.going(methodName(page, method)), content: leading(page, method, action) };
  return document(page, part, action.type === "redirect" ? action.url : null);
}

/** The page of an unknown token: the same look, and no hint whether it ever existed. */
export function renderUnknownPage(request: PageRequest): string {
  const words = payWords[request.lang];
  const content = html`<main id="main" tabindex="-1"><section class="state expired"><span class="shape">!${icon("alert")}</span>
<h1>${words.unknown}</h1><p>${words.unknownLead}</p></section></main>`;
  return frame({ request, words, title: words.unknown, path: "", merchant: null, livemode: true, leadsTo: null, main: content });
}

/** Shown instead of a page that isn't available at the moment: too many requests, or the server is busy. */
export function renderTroublePage(request: PageRequest, path: string): string {
  const words = payWords[request.lang];
  const { title, lead } = troubleOf(request.problem, words);
  const content = html`<main id="main" tabindex="-1"><section class="state waiting"><span class="shape">!${icon("clock")}</span>
<h1>${title}</h1><p>${lead}</p><p>${words.notAffected}</p></section>
<a class="button" href="${path}${query(request.requested)}">${words.tryAgain}</a></main>`;
  return frame({ request, words, title, path, merchant: null, livemode: true, leadsTo: null, main: content });
}

/** Too many requests are named in the heading; everything else is the server's. */
function troubleOf(problem: string | null, words: Words): { title: string; lead: string } {
  if (problem === "rate_limited") return { title: words.tooMany, lead: words.tooManyLead };
  if (problem === "rate_limited_hour") return { title: words.tooMany, lead: words.tooManyLeadHour };
  return { title: words.notNow, lead: sentenceOf(words, problem) };
}

function document(page: Page, part: { path: string; say: string; content: string }, leadsTo: string | null = null): string {
  const { view, words } = page;
  const { path, say, content } = part;
  return frame({
    request: page,
    words,
    path,
    title: `${say} · ${view.merchant.name}`,
    merchant: view.merchant,
    livemode: view.livemode,
    leadsTo,
    main: main(page, say, content),
  });
}

/** What happened to the last payment comes before what to do next. */
function withNews({ view, words }: Page, text: string): string {
  if (view.rejection !== null) return `${words.rejected(view.merchant.name)}. ${text}`;
  return attemptFailed(view) ? `${words.attemptFailed}. ${text}` : text;
}

function payingOrChoosing(page: Page): string {
  const { session } = page.view;
  const method = session === null ? null : page.methods.find(session.method);
  if (session === null || method === null) return choosing(page);
  return session.kind === "gateway" ? payingGateway(page, session, method) : paying(page, session, method);
}

/** The page's state in one short text (its title, and what a screen reader announces on a change), and its content. */
function body(page: Page): { say: string; content: string } {
  const { view, words } = page;
  const sum = sumOf(page, view.session?.payable_amount_minor ?? view.order.rest_minor).whole;
  switch (view.state) {
    case "choose":
      return { say: withNews(page, `${words.pay} ${sumOf(page, view.order.rest_minor).whole}`), content: choosing(page) };
    case "pay":
      if (page.isBack && view.session?.leads_away === true) return { say: words.checking, content: checkingAtGateway(page) };
      return { say: withNews(page, `${words.pay} ${sum}`), content: payingOrChoosing(page) };
    case "checking":
      return { say: words.checking, content: view.session?.status === "processing" ? checkingAtGateway(page) : checking(page) };
    case "paid":
      return { say: `${words.paid} ${sumOf(page, view.order.received_minor).whole}`, content: paid(page) };
    case "expired":
    case "revoked":
    case "canceled":
    case "failed":
      return { say: deadEndTitle(page, view.state), content: deadEnd(page, view.state) };
  }
}
