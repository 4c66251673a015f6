import { html } from "ghtml";
import { languageLinks, query } from "#checkout/index.ts";
import { type Language, languageInfo } from "#platform/index.ts";
import { type MailWords, mailPageWords } from "./words.ts";

/** The locations of the pages' style and logo, and the choices of one request. */
export interface PageRequest {
  lang: Language;
  requested: { lang?: Language; theme?: "light" | "dark" };
  files: { style: string; mark: string };
  /** Path of the page itself. */
  path: string;
}

/** The sender of the email. */
export interface Subscription {
  name: string;
  address: string;
  livemode: boolean;
}

const paths = {
  mail: "M3 7a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2zM3 7l9 6l9 -6",
  check: "M5 12l5 5l10 -10",
  alert: "M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 8v4M12 16h.01",
  clock: "M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 7v5l3 3",
};
const shape = (name: keyof typeof paths) =>
  `<span class="shape"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${paths[name]}"/></svg></span>`;
const mark =
  '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6"/><path d="M5.5 8.25h13M6.5 8.5l5.5 5.25 5.5-5.25"/></svg>';

/** Asks whether to unsubscribe. Only its button unsubscribes, because mail scanners open every link. */
export function drawQuestion(request: PageRequest, of: Subscription): string {
  const words = mailPageWords[request.lang];
  return frame(request, {
    words,
    of,
    title: words.ask,
    main: html`<section class="state expired">!${shape("mail")}<h1>${words.ask}</h1><p>${words.askLead(of.name, of.address)}</p>
<p class="hint">${words.askNote}</p></section>
<form method="post" action="${request.path}${query(request.requested)}"><button class="button primary" type="submit">${words.button}</button></form>`,
  });
}

/** Confirms it, also to people who were unsubscribed before. */
export function drawDone(request: PageRequest, of: Subscription): string {
  const words = mailPageWords[request.lang];
  return frame(request, {
    words,
    of,
    title: words.done,
    main: html`<section class="state paid">!${shape("check")}<h1>${words.done}</h1><p>${words.doneLead(of.name, of.address)}</p></section>`,
  });
}

/** Shows the target of a link, to follow or not. */
export function drawLeaving(request: PageRequest, { host, target, livemode }: { host: string; target: URL; livemode: boolean }): string {
  const words = mailPageWords[request.lang];
  return frame(request, {
    words,
    of: livemode ? null : { name: "Tillpost", address: "", livemode },
    title: words.leave,
    main: html`<section class="state expired">!${shape("alert")}<h1>${words.leave}</h1><p>${words.leaveLead(host)}</p>
<p class="target">${target.href}</p><p class="hint">${words.leaveNote}</p></section>
<a class="button" href="${target.href}" rel="noreferrer noopener nofollow">${words.leaveButton(target.host)}</a>`,
  });
}

/** For a link that wasn't created here, for any reason. */
export function drawUnknown(request: PageRequest): string {
  const words = mailPageWords[request.lang];
  return frame(request, {
    words,
    of: null,
    title: words.unknown,
    main: html`<section class="state expired">!${shape("alert")}<h1>${words.unknown}</h1><p>${words.unknownLead}</p></section>`,
  });
}

/** For temporary failures. */
export function drawTrouble(request: PageRequest): string {
  const words = mailPageWords[request.lang];
  return frame(request, {
    words,
    of: null,
    title: words.trouble,
    main: html`<section class="state waiting">!${shape("clock")}<h1>${words.trouble}</h1><p>${words.troubleLead}</p></section>
<a class="button" href="${request.path}${query(request.requested)}">${words.tryAgain}</a>`,
  });
}

interface Drawn {
  words: MailWords;
  of: Subscription | null;
  title: string;
  main: string;
}

/** The document around a page: no script at all, no inline style. */
function frame({ lang, requested, files, path }: PageRequest, { words, of, title, main }: Drawn): string {
  const language = languageInfo(lang);
  return html`<!doctype html>
<html lang="${language.html}" dir="${language.dir}" !${requested.theme === undefined ? "" : `data-theme="${requested.theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${of === null ? title : `${title} · ${of.name}`}</title>
<link rel="icon" href="${files.mark}" type="image/svg+xml">
<link rel="stylesheet" href="${files.style}">
</head>
<body>
!${of?.livemode === false ? html`<aside class="test-bar" aria-label="${words.testWord}"><strong>${words.testWord}</strong><span>${words.testMeaning}</span></aside>` : ""}
<div class="column">
<header class="top"><div class="who"><span>${of?.name ?? "Tillpost"}</span></div>
<nav class="choices">!${languageLinks(lang, (other) => `${path}${query(requested, { lang: other })}`)}</nav></header>
<main id="main">
!${main}
</main>
<footer class="foot">!${mark}<span>Tillpost</span></footer>
</div>
</body>
</html>
`;
}
