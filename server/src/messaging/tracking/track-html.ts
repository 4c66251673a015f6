import { Parser } from "htmlparser2";
import type { Ctx } from "#platform/index.ts";
import { unsubscribePath } from "../unsubscribe/unsubscribe-token.ts";
import { clickPath, clickUrl, openUrl, type Tracked } from "./track-token.ts";

interface Attribute {
  name: string;
  value: string;
  start: number;
  end: number;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

const longestUrl = 4_096;

/**
 * Puts tracked addresses in place of a message's links and a picture at its end, as asked; everything else stays byte for byte. Left alone are
 * mail and telephone links, anchors, links to unsubscribe, and what carries `data-no-track`.
 */
export function trackHtml(ctx: Pick<Ctx, "masterKeys" | "mail">, given: Tracked & { html: string; opens: boolean; clicks: boolean }): string {
  const { html, opens, clicks } = given;
  if (!opens && !clicks) return html;
  const { links, bodyEnd } = readLinks(html);
  const edits: Edit[] = [];
  if (clicks) {
    for (const { value, start, end } of links) {
      const url = trackableUrl(value, ctx.mail.baseUrl);
      if (url !== null && /^href\s*=/i.test(html.slice(start, end))) edits.push({ start, end, text: `href="${clickUrl(ctx, given, url)}"` });
    }
  }
  if (opens) edits.push({ start: bodyEnd, end: bodyEnd, text: `<img src="${openUrl(ctx, given)}" width="1" height="1" alt="" style="border:0">` });
  return applyEdits(html, edits);
}

/** Where the links of a text stand, and where its body ends. */
function readLinks(html: string): { links: Attribute[]; bodyEnd: number } {
  const links: Attribute[] = [];
  let attributes: Attribute[] = [];
  let bodyEnd = html.length;
  const parser = new Parser(
    {
      onopentagname() {
        attributes = [];
      },
      onattribute(name, value) {
        attributes.push({ name, value, start: parser.startIndex, end: parser.endIndex });
      },
      onopentag(name) {
        if (name !== "a" && name !== "area") return;
        if (attributes.some((one) => one.name === "data-no-track")) return;
        const href = attributes.find((one) => one.name === "href");
        if (href !== undefined) links.push(href);
      },
      onclosetag(name, implied) {
        if (name === "body" && !implied) bodyEnd = parser.startIndex;
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { links, bodyEnd };
}

/** The absolute web address of a link that may be tracked, or null. */
function trackableUrl(href: string, baseUrl: string): string | null {
  const text = href.trim();
  if (!/^https?:\/\//i.test(text) || text.length > longestUrl) return null;
  const url = URL.parse(text);
  if (url === null || url.hostname === "") return null;
  const ours = [unsubscribePath, clickPath].some((path) => url.href.startsWith(`${baseUrl}${path}`));
  return ours || /unsubscribe|opt[-_]?out/i.test(`${url.pathname}${url.search}`) ? null : url.href;
}

function applyEdits(html: string, edits: Edit[]): string {
  let out = "";
  let at = 0;
  for (const { start, end, text } of edits.sort((left, right) => left.start - right.start)) {
    out += html.slice(at, start) + text;
    at = end;
  }
  return out + html.slice(at);
}
