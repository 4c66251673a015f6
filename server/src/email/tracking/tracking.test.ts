import { describe, expect, test } from "vitest";
import { readMasterKeys } from "#platform/index.ts";
import { readUnsubscribeToken, unsubscribeUrl } from "../unsubscribe/unsubscribe-token.ts";
import { trackHtml, trackingOf } from "./track-html.ts";
import { readTrackToken } from "./track-token.ts";

const old = "a5".repeat(32);
const ctx = contextWith(`1:${old}`);
const copy = { tenant: { project_id: "prj_1", livemode: true }, email_id: "em_1", recipient_id: "rcp_1" };

function contextWith(keys: string) {
  return {
    masterKeys: readMasterKeys(keys),
    mail: { baseUrl: "https://mail.example", domain: "d.example", bounceDomain: null, from: "x@d.example", transport: "outbox" as const },
  };
}

const tokenIn = (url: string) => url.slice(url.lastIndexOf("/") + 1);
const track = (html: string, noticed: { opens: boolean; clicks: boolean }) => {
  const tracking = trackingOf(ctx, { ...copy, ...noticed });
  return tracking === null ? html : (trackHtml(html, tracking) as string);
};
const clicks = (html: string) => track(html, { opens: false, clicks: true });

/** Takes tracked addresses in a text back to what they lead to. */
function untracked(html: string): string {
  return html.replace(/href="https:\/\/mail\.example\/c\/([^"]+)"/g, (_all, token) => {
    const read = readTrackToken(ctx, "click", token);
    return `href→${read?.kind === "click" ? read.url : "?"}`;
  });
}

describe("links", () => {
  test.each([
    ["a plain link", '<a href="https://a.example/x?a=1&amp;b=2#f">x</a>', "<a href→https://a.example/x?a=1&b=2#f>x</a>"],
    [
      "quotes of another kind, none, and spaces",
      "<a class='c' href='http://a.example/'>x</a><A HREF=https://b.example/y >z</A>",
      "<a class='c' href→http://a.example/>x</a><A href→https://b.example/y >z</A>",
    ],
    ["a map's area", '<map><area href="https://a.example/" alt=""></map>', '<map><area href→https://a.example/ alt=""></map>'],
    [
      "the first of two of a name",
      '<a href="https://a.example/" href="https://b.example/">x</a>',
      '<a href→https://a.example/ href="https://b.example/">x</a>',
    ],
    ["letters beyond ASCII", '<a href="https://例子.测试/路">书</a>', "<a href→https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF>书</a>"],
  ])("%s leads through here to its target", (_name, html, expected) => {
    expect(untracked(clicks(html))).toBe(expected);
  });

  test.each([
    '<a href="mailto:a@b.example">x</a>',
    '<a href="tel:+4912345">x</a>',
    '<a href="sms:+4912345">x</a>',
    '<a href="#top">x</a>',
    '<a href="/relative">x</a>',
    '<a href="//a.example/">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="https://">x</a>',
    '<a href="">x</a>',
    "<a name=top>x</a>",
    '<a href="https://a.example/" data-no-track>x</a>',
    '<a data-no-track="" href="https://a.example/">x</a>',
    '<a href="https://a.example/unsubscribe?u=1">x</a>',
    '<a href="https://a.example/prefs?action=opt-out">x</a>',
    '<a href="https://mail.example/u/abc">x</a>',
    '<a href="https://mail.example/c/abc">x</a>',
    '<link href="https://a.example/style.css">',
    '<img src="https://a.example/a.png">',
    '<!-- <a href="https://a.example/">x</a> -->',
    '<p title="<a href=https://a.example/>">x</p>',
    `<a href="https://a.example/${"x".repeat(5_000)}">x</a>`,
  ])("leaves %s unchanged", (html) => {
    expect(clicks(html)).toBe(html);
  });

  test("preserve everything around them byte for byte", () => {
    const html =
      '<!doctype html>\r\n<HTML><body  bgcolor=#fff>\t&nbsp;<p>a<b>c</p><a href="https://a.example/">x</a> <3 & \u{1f600}</body ></HTML>\n';
    expect(untracked(clicks(html))).toBe(html.replace('href="https://a.example/"', "href→https://a.example/"));
    expect(track(html, { opens: false, clicks: false })).toBe(html);
  });
});

test("the picture is at the end of the body, or of the text", () => {
  const opens = (html: string) => track(html, { opens: true, clicks: false });
  const whole = opens("<body><p>x</p></body></html>");
  const [, token] = /^<body><p>x<\/p><img src="https:\/\/mail\.example\/o\/([^"]+)" [^>]+><\/body><\/html>$/.exec(whole) ?? [];
  expect(readTrackToken(ctx, "open", token ?? "")).toEqual({ ...copy, kind: "open" });
  expect(opens("<p>x</p>")).toMatch(/^<p>x<\/p><img src="[^"]+" [^>]+>$/);
});

describe("tokens", () => {
  const click = tokenIn(/href="([^"]+)"/.exec(clicks('<a href="https://a.example/">x</a>'))?.[1] ?? "");
  const leave = tokenIn(unsubscribeUrl(ctx, { tenant: copy.tenant, email_id: "em_1", address: "A|b@c.example" }));

  test("contain what they were made with", () => {
    expect(readTrackToken(ctx, "click", click)).toEqual({ ...copy, kind: "click", url: "https://a.example/" });
    expect(readUnsubscribeToken(ctx, leave)).toEqual({ tenant: copy.tenant, email_id: "em_1", address: "A|b@c.example" });
  });

  test("survive a change of the operator's key, but not its loss", () => {
    expect(readUnsubscribeToken(contextWith(`1:${old},2:${"b6".repeat(32)}`), leave)).not.toBeNull();
    expect(readUnsubscribeToken(contextWith(`2:${"b6".repeat(32)}`), leave)).toBeNull();
    expect(readUnsubscribeToken(contextWith(`1:${"b6".repeat(32)}`), leave)).toBeNull();
  });

  test("are refused if a single character differs, if cut, and for another purpose", () => {
    for (const [token, read] of [
      [click, (text: string) => readTrackToken(ctx, "click", text)],
      [leave, (text: string) => readUnsubscribeToken(ctx, text)],
    ] as const) {
      for (let at = 0; at < token.length; at += 1) {
        const other = token[at] === "A" ? "B" : "A";
        expect(read(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
        expect(read(token.slice(0, at))).toBeNull();
      }
      expect(read(`${token}.x`)).toBeNull();
      expect(read("")).toBeNull();
    }
    expect(readTrackToken(ctx, "open", click)).toBeNull();
    expect(readUnsubscribeToken(ctx, click)).toBeNull();
    expect(readTrackToken(ctx, "click", leave)).toBeNull();
  });
});
