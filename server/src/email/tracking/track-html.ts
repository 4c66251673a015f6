import type { Ctx } from "#platform/index.ts";
import { type HtmlAttribute, walkHtml } from "../html/walk-html.ts";
import { linkBaseOf } from "../links/link-host.ts";
import { unsubscribePath } from "../unsubscribe/unsubscribe-token.ts";
import { type ClickSigner, clickPath, clickSignerOf, clickUrl, openUrl, type Tracked } from "./track-token.ts";

/** What is tracked in one recipient's copy; plain data, so that it can be passed to a thread. */
export interface Tracking {
  /** The image's address; null: opens aren't tracked. */
  open: string | null;
  /** null: clicks aren't tracked. */
  click: ClickSigner | null;
  /** Beginnings of addresses that already are the service's own. */
  own: string[];
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

const longestUrl = 4_096;

/** The tracking that a message requests; null if it requests none. */
export function trackingOf(
  ctx: Pick<Ctx, "masterKeys" | "mail">,
  given: Tracked & { opens: boolean; clicks: boolean; base?: string },
): Tracking | null {
  const { opens, clicks, base = linkBaseOf(ctx.mail) } = given;
  if (!opens && !clicks) return null;
  return {
    open: opens ? openUrl(ctx, given, base) : null,
    click: clicks ? clickSignerOf(ctx, given, base) : null,
    own: [...new Set([base, linkBaseOf(ctx.mail), ctx.mail.baseUrl])].flatMap((one) =>
      [unsubscribePath, clickPath].map((path) => `${one}${path}`),
    ),
  };
}

/**
 * Replaces a message's links with tracked addresses and adds an image at its end, as requested; everything else is unchanged to the byte.
 * Skips mail and telephone links, anchors, unsubscribe links, and elements with `data-no-track`. null if it is nested too deeply to be
 * read.
 */
export function trackHtml(html: string, { open, click, own }: Tracking): string | null {
  const found = readLinks(html);
  if (found === null) return null;
  const edits: Edit[] = [];
  if (click !== null) {
    for (const { value, start, end } of found.links) {
      const url = trackableUrl(value, own);
      if (url !== null && /^href\s*=/i.test(html.slice(start, Math.min(end, start + 100))))
        edits.push({ start, end, text: `href="${clickUrl(click, url)}"` });
    }
  }
  if (open !== null)
    edits.push({ start: found.bodyEnd, end: found.bodyEnd, text: `<img src="${open}" width="1" height="1" alt="" style="border:0">` });
  return applyEdits(html, edits);
}

/** The positions of a text's links, and of the end of its body. */
function readLinks(html: string): { links: HtmlAttribute[]; bodyEnd: number } | null {
  const links: HtmlAttribute[] = [];
  let bodyEnd = html.length;
  const isWhole = walkHtml(html, {
    open(name, attributes) {
      if (name !== "a" && name !== "area") return;
      if (attributes.some((one) => one.name === "data-no-track")) return;
      const href = attributes.find((one) => one.name === "href");
      if (href !== undefined) links.push(href);
    },
    close(name, at) {
      if (name === "body" && at !== null) bodyEnd = at;
    },
  });
  return isWhole ? { links, bodyEnd } : null;
}

/** The absolute web address of a link that may be tracked, or null. */
function trackableUrl(href: string, own: readonly string[]): string | null {
  const text = href.trim();
  if (!/^https?:\/\//i.test(text) || text.length > longestUrl) return null;
  const url = URL.parse(text);
  if (url === null || url.hostname === "") return null;
  const ours = own.some((beginning) => url.href.startsWith(beginning));
  return ours || /unsubscribe|opt[-_]?out/i.test(`${url.pathname}${url.search}`) ? null : url.href;
}

function applyEdits(html: string, edits: Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.sort((left, right) => left.start - right.start)) {
    parts.push(html.slice(at, start), text);
    at = end;
  }
  parts.push(html.slice(at));
  return parts.join("");
}
