import { html } from "ghtml";
import { languageInfo } from "#platform/index.ts";
import type { CompleteEmail } from "./email-content.ts";
import { colour } from "./palette.ts";

const face = "ui-sans-serif,'SF Pro Text','Segoe UI',Roboto,'PingFang SC','Noto Sans SC','Microsoft YaHei',sans-serif";

/**
 * Classes with the properties and colors they set; a second color is the dark theme's. Light colors are inline, dark ones in the style
 * sheet, because some clients drop that.
 */
const painted = {
  ground: [["background-color", "n2", "n1"]],
  card: [
    ["background-color", "n1", "n2"],
    ["border-color", "n4"],
  ],
  ink: [["color", "n12"]],
  soft: [["color", "n10"]],
  rule: [["border-color", "n4"]],
  link: [["color", "accent"]],
  press: [
    ["background-color", "accent"],
    ["color", "on-accent"],
  ],
  mark: [["background-color", "accent"]],
  slot: [["background-color", "on-accent"]],
  flap: [["border-top-color", "on-accent"]],
  paid: [["color", "paid"]],
  "paid-shape": [
    ["background-color", "paid"],
    ["border-color", "paid"],
  ],
  waiting: [["color", "waiting"]],
  "waiting-shape": [["border-color", "waiting"]],
  failed: [["color", "failed"]],
  "failed-shape": [
    ["background-color", "failed"],
    ["border-color", "failed"],
  ],
  test: [
    ["background-color", "test"],
    ["color", "on-test"],
  ],
} satisfies Record<string, [property: string, colour: string, dark?: string][]>;

type Paint = keyof typeof painted;

/** Class and style of an element: light colors inline, dark ones in the style sheet. */
function look(paint: Paint, style: string): string {
  const rules: [string, string, string?][] = painted[paint];
  const colours = rules.map(([property, name]) => `${property}:${colour(name, "light")};`).join("");
  return `class="${paint}" style="${colours}${style}"`;
}

function sheet(): string {
  const dark = Object.entries<[string, string, string?][]>(painted).map(([paint, rules]) => {
    const set = rules.map(([property, name, own]) => `${property}:${colour(own ?? name, "dark")}!important`);
    return `.${paint}{${set.join(";")}}`;
  });
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
a{text-decoration:none}
@media (max-width:480px){.pad{padding:24px 20px!important}.out{padding:16px 12px!important}}
@media (prefers-color-scheme:dark){${dark.join("")}}`;
}

interface Sides {
  start: "left" | "right";
  end: "left" | "right";
}

/** Mail clients don't support sides that depend on the writing direction. */
function sidesOf({ lang }: CompleteEmail): Sides {
  return languageInfo(lang).dir === "rtl" ? { start: "right", end: "left" } : { start: "left", end: "right" };
}

const text = `font-family:${face};font-size:16px;line-height:24px;word-break:break-word;`;
const small = `font-family:${face};font-size:14px;line-height:21px;word-break:break-word;`;
const least = `font-family:${face};font-size:12px;line-height:18px;`;

/**
 * The email as a document that mail clients of the last ten years render alike: one column of at most 600 pixels, inline colors, no
 * images, no scripts and no URLs except those of its links.
 */
export function renderHtml(email: CompleteEmail): string {
  const language = languageInfo(email.lang);
  return html`<!doctype html>
<html lang="${language.html}" dir="${language.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${email.subject}</title>
<style>!${sheet()}</style>
</head>
<body !${look("ground", "margin:0;padding:0;width:100%;-webkit-text-size-adjust:100%;text-size-adjust:100%;")}>
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all;" aria-hidden="true">${email.preheader}!${"&#847;&zwnj;&nbsp;".repeat(60)}</div>
<main>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" !${look("ground", "")}><tr>
<td class="out" align="center" style="padding:32px 16px;">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<div style="max-width:600px;margin:0 auto;text-align:${sidesOf(email).start};">
!${head(email)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" !${look("card", "border-width:1px;border-style:solid;border-radius:8px;border-collapse:separate;")}>
!${testBand(email)}
<tr><td class="pad" style="padding:32px;">
!${body(email)}
</td></tr></table>
<div !${look("soft", `${least}padding:16px 4px 0;`)}>${email.reason}</div>
</div>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</main>
</body>
</html>
`;
}

/** Our logo is drawn with boxes: an image would have to be fetched, or attached to every email. */
function head({ speaker }: CompleteEmail): string {
  const name = html`<td !${look("ink", `${text}font-weight:600;padding:0 4px;`)}>${speaker ?? "Tillpost"}</td>`;
  const mark = html`<!--[if !mso]><!--><td width="24" style="padding:0 4px;"><div aria-hidden="true" !${look("mark", "width:24px;height:24px;border-radius:6px;overflow:hidden;")}>
<div !${look("slot", "width:14px;height:2px;margin:7px 0 0 5px;border-radius:1px;font-size:0;line-height:0;")}></div>
<div !${look("flap", "width:0;height:0;margin:1px 0 0 6px;border-left:6px solid transparent;border-right:6px solid transparent;border-top-width:6px;border-top-style:solid;font-size:0;line-height:0;")}></div>
</div></td><!--<![endif]-->`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>!${speaker === undefined ? mark : ""}!${name}</tr>
<tr><td colspan="2" height="16" style="font-size:0;line-height:16px;">&nbsp;</td></tr></table>`;
}

function testBand({ test }: CompleteEmail): string {
  if (test === null) return "";
  return html`<tr><td !${look("test", `${small}font-weight:600;text-align:center;padding:6px 16px;border-radius:7px 7px 0 0;`)}>${test}</td></tr>`;
}

/** A full disc, a ring, a square: distinguishable without color. Drawn with boxes, since not every phone has a tick that isn't an emoji. */
const shapes = { paid: "50%", waiting: "50%", failed: "2px" };

function statusLine({ tone, word }: NonNullable<CompleteEmail["status"]>, { end }: Sides): string {
  const box = `display:inline-block;width:6px;height:6px;border-width:2px;border-style:solid;border-radius:${shapes[tone]};margin:0 0 1px;margin-${end}:8px;`;
  return html`<p !${look(tone, `${small}font-weight:600;margin:0 0 8px;`)}><span aria-hidden="true" !${look(`${tone}-shape`, box)}></span>${word}</p>`;
}

function body(email: CompleteEmail): string {
  const { status, figure, facts = [], more, button, addressToo } = email;
  return html`!${status === undefined ? "" : statusLine(status, sidesOf(email))}
<h1 !${look("ink", `font-family:${face};font-size:20px;line-height:28px;font-weight:600;word-break:break-word;margin:0 0 8px;`)}>${email.title}</h1>
!${figure === undefined ? "" : html`<p !${look("ink", `font-family:${face};font-size:40px;line-height:48px;font-weight:600;margin:0 0 8px;font-variant-numeric:tabular-nums;`)}><span style="font-size:28px;">${figure.symbol}</span>${/[A-Za-z]$/.test(figure.symbol) ? " " : ""}${figure.number}</p>`}
!${email.lead.map((line) => html`<p !${look("ink", `${text}margin:0 0 12px;`)}>${line}</p>`)}
!${facts.length === 0 ? "" : factTable(facts, sidesOf(email))}
!${more === undefined ? "" : html`<p !${look("soft", `${small}margin:8px 0 0;`)}>${more}</p>`}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0;"><tr>
<td !${look("press", "border-radius:10px;mso-padding-alt:12px 24px;")}><a href="${button.url}" !${look("press", `${text}display:inline-block;padding:12px 24px;border-radius:10px;font-weight:600;text-decoration:none;`)}>${button.label}</a></td>
</tr></table>
!${addressToo === undefined ? "" : html`<p !${look("soft", `${small}margin:16px 0 0;`)}>${addressToo}<br><a href="${button.url}" !${look("link", "word-break:break-all;text-decoration:underline;")}>${button.url}</a></p>`}
!${email.after.map((line, index) => html`<p !${look("soft", `${small}margin:${index === 0 ? 20 : 8}px 0 0;`)}>${line}</p>`)}`;
}

function factTable(facts: [string, string][], { start, end }: Sides): string {
  const cell = `padding:10px 0;border-top-width:1px;border-top-style:solid;vertical-align:top;text-align:${start};font-weight:400;`;
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:16px 0 0;border-collapse:collapse;">!${facts.map(
    ([
      label,
      value,
    ]) => html`<tr><th scope="row" class="soft rule" style="color:${colour("n10", "light")};border-color:${colour("n4", "light")};!${small}!${cell}width:28%;padding-${end}:12px;">${label}</th>
<td class="ink rule" style="color:${colour("n12", "light")};border-color:${colour("n4", "light")};!${small}!${cell}font-variant-numeric:tabular-nums;">${value}</td></tr>`,
  )}</table>`;
}
