import { expect, test } from "vitest";
import { textOfHtml } from "./text-of-html.ts";

test.each([
  [
    "a heading, a paragraph, a link and a picture",
    '<h1>Order paid</h1><p>See <a href="https://a.example/o/1">your order</a>.</p><img alt="Logo" src="cid:l">',
    "Order paid\n\nSee your order [https://a.example/o/1].\n\nLogo",
  ],
  [
    "links that are their own address",
    '<a href="https://a.example/">https://a.example</a> <a href="mailto:a@b.example">a@b.example</a> <a href="#top">Up</a>',
    "https://a.example a@b.example Up",
  ],
  ["a link around a picture", '<a href="https://a.example/"><img src="x" alt="Shop"></a>', "Shop [https://a.example/]"],
  ["cells of a table", "<table><tr><td>Two books</td><td>86.00</td></tr><tr><td>Postage<td>3.00</table>", "Two books 86.00\nPostage 3.00"],
  ["cells with paragraphs of their own", "<table><tr><td><p>One</p></td><td><p>Two</p></td></tr></table>", "One\n\nTwo"],
  ["lists", "<ul><li>one<li>two<ol start=3><li>a</li><li>b</ol></ul>after", "* one\n* two\n  3. a\n  4. b\n\nafter"],
  ["lines and rules", "one<br>two<br><br><br><br>three<hr>four", "one\ntwo\n\nthree\n\n----------------------------------------\n\nfour"],
  ["a quote", "<blockquote>they <b>said</b><p>more</p></blockquote>we say", "> they said\n>\n> more\n\nwe say"],
  ["kept white space", "<p>Code:</p><pre>a\n  b</pre>", "Code:\n\na\n  b"],
  ["entities, in words and alone", "Fish &amp; chips&nbsp;&euro;5 &#x4f60;&#22909; &lt;3", "Fish & chips €5 你好 <3"],
  ["a word in two styles", "<b>Til</b><i>lpost</i> <span> works </span>", "Tillpost works"],
  [
    "long text",
    `<p>${"word ".repeat(40)}</p>`,
    "word word word word word word word word word word word word word word word\nword word word word word word word word word word word word word word word\nword word word word word word word word word word",
  ],
])("reads %s", (_what, html, text) => {
  expect(textOfHtml(html)).toBe(text);
});

test.each([
  '<div style="display:none">hidden</div>',
  '<div style="color:red; DISPLAY : None !important; max-height:0">hidden</div>',
  '<span style="display:none"><b>hidden</b><br><img alt="hidden"> hidden</span>',
  '<div style="max-height:0px;overflow:hidden">hidden</div>',
  '<div style="font-size:0;line-height:0">hidden</div>',
  '<div style="mso-hide:all">hidden</div>',
  "<p hidden>hidden</p>",
  '<td data-skip-in-text="true">hidden</td>',
  "<style>p { hidden }</style>",
  "<script>hidden()</script><title>hidden</title>",
  "<!-- hidden --><svg><text>hidden</text></svg>",
  '<div style="display:none">hidden<div>hidden',
])("omits %s", (html) => {
  expect(textOfHtml(`<p>Before</p>${html}`)).toBe("Before");
});

test.each([
  '<div style="display:block">shown</div>',
  '<div style="display:none;display:block">shown</div>',
  '<div style="font-size:0.9em">shown</div>',
  '<div style="background:url(display:none)">shown</div>',
  '<p data-skip-in-text="false">shown</p>',
])("retains %s", (html) => {
  expect(textOfHtml(html)).toBe("shown");
});

test("omits what only fills the line that inboxes show", () => {
  expect(textOfHtml("<p>&zwnj;&nbsp;&zwnj;&nbsp;&#847;</p><p>Hello</p>")).toBe("Hello");
});

test("reads an email as shops send them, including the hidden line", () => {
  const html = `<!doctype html><html><head><title>Paid</title><style>td { padding: 8px }</style></head><body>
    <div style="display:none;max-height:0;overflow:hidden">Your order is on its way &zwnj;&nbsp;</div>
    <table><tbody><tr><td><h1>Thank you</h1></td></tr>
    <tr><td><table><tr><th>Book</th><th>Price</th></tr><tr><td>The Tides</td><td>&yen;86.00</td></tr></table></td></tr>
    <tr><td><a href="https://shop.example/o/7?a=1&amp;b=2">Track your order</a></td></tr></tbody></table></body></html>`;
  expect(textOfHtml(html)).toBe("Thank you\n\nBook Price\nThe Tides ¥86.00\n\nTrack your order [https://shop.example/o/7?a=1&b=2]");
});

test("doesn't read HTML that is nested too deeply", () => {
  expect(textOfHtml(`${"<div>".repeat(500)}x`)).toBe("x");
  expect(textOfHtml(`${"<div>".repeat(501)}x`)).toBeNull();
});

test("grows by no more than a few characters per line, however deeply quotes are nested", () => {
  const html = `${"<blockquote>".repeat(400)}${"x<br>".repeat(1_000)}`;
  expect(textOfHtml(html)?.length).toBeLessThan(16 * 1_000);
});
