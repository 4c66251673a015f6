import { html } from "ghtml";
import { languageInfo } from "#platform/index.ts";
import { icon, mark } from "./icons.ts";
import { languageLinks } from "./language-links.ts";
import { type Page, type PageRequest, query } from "./page.ts";
import type { Words } from "./words/words.ts";

export interface Frame {
  request: PageRequest;
  words: Words;
  title: string;
  /** Path that the language and color links return to. */
  path: string;
  merchant: { name: string; logo_url: string | null } | null;
  livemode: boolean;
  /** The address to which the browser continues automatically. */
  leadsTo: string | null;
  main: string;
}

/** The whole document around a page's main part. It has no inline script or style, so that the policy can forbid both. */
export function frame(parts: Frame): string {
  const { request, words } = parts;
  const { files } = request;
  const language = languageInfo(request.lang);
  return html`<!doctype html>
<html lang="${language.html}" dir="${language.dir}" !${request.requested.theme === undefined ? "" : `data-theme="${request.requested.theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="${parts.leadsTo === null ? "no-referrer" : "strict-origin"}">
<meta name="format-detection" content="telephone=no">
!${parts.leadsTo === null ? "" : html`<meta http-equiv="refresh" content="0; url=${parts.leadsTo}">`}
<title>${parts.title}</title>
<link rel="icon" href="${files.mark}" type="image/svg+xml">
<link rel="stylesheet" href="${files.style}">
<script type="module" src="${files.script}"></script>
</head>
<body data-copied="${words.copied}" data-left="${words.left}" data-until="${words.until("{t}")}" data-offline="${words.offline}" data-failed="${words.problems["other"]}"
 data-large="${words.tooLarge}" data-change="${words.changeFile}" data-now="${request.now.toISOString()}">
!${parts.livemode ? "" : testBar(words)}
<div class="column">
!${header(parts)}
!${parts.main}
<footer class="foot">!${mark}<span>Tillpost</span></footer>
</div>
<p id="say" class="unseen" role="status"></p>
</body>
</html>
`;
}

function testBar(words: Words): string {
  return html`<aside class="test-bar" aria-label="${words.testWord}"><strong>${words.testWord}</strong><span>${words.testMeaning}</span></aside>`;
}

function header({ request, words, path, merchant }: Frame): string {
  const link = (changes: PageRequest["requested"]) => `${path}${query(request.requested, changes)}`;
  return html`<header class="top">
<div class="who">!${merchant?.logo_url ? html`<img class="logo" src="${ownPath(merchant.logo_url)}" alt="" width="32" height="32">` : ""}
<span>${merchant?.name ?? "Tillpost"}</span></div>
<nav class="choices">
!${languageLinks(request.lang, (lang) => link({ lang }))}
<a class="round only-light" href="${link({ theme: "dark" })}" data-theme-to="dark" title="${words.toDark}">!${icon("moon")}<span class="unseen">${words.toDark}</span></a>
<a class="round only-dark" href="${link({ theme: "light" })}" data-theme-to="light" title="${words.toLight}">!${icon("sun")}<span class="unseen">${words.toLight}</span></a>
</nav>
</header>`;
}

/**
 * The page may be reached under a host name other than the public one; its pictures are then loaded from that host too, as the policy
 * requires.
 */
function ownPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** The part that the script replaces when the state changes. */
export function main(page: Page, say: string, content: string): string {
  const { view } = page;
  return html`<main id="main" data-token="${view.token}" data-state="${view.state}" data-version="${view.version}" data-say="${say}" tabindex="-1">
!${content}
</main>`;
}
