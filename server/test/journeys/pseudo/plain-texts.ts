import type { Page } from "playwright-core";
import { languages } from "#platform/index.ts";

/** Visible and spoken text of a page, except code and text marked as untranslatable. */
const shown = `(() => {
  const notWords = "script, style, code, pre, kbd, [translate=no], time, textarea, noscript";
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent !== null && parent.closest(notWords) === null) texts.push(node.textContent);
  }
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    if (one.closest(notWords) === null) for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(one.getAttribute(name) ?? "");
  return JSON.stringify([document.title, ...texts]);
})()`;

/** Addresses, ids, event names, zones and currencies aren't translated, nor are the languages' own names. */
const data = [
  /https?:\/\/\S+/g,
  /[\w.+%-]+@[\w.-]+/g,
  /\b[a-z]{2,4}_(?:test_|live_)?(?:…|[0-9A-Za-z…]{4,})/g,
  /\b[a-z_]+(?:[.:][a-z_*]+)+\b/g,
  // A zone, and its name from `Intl`, which has no other name for some places.
  /\b(?:[A-Z]\w+\/)+[\w-]+(?: · .*)?/g,
  /CN¥|US\$/g,
  /\b(?:[A-Z]{3}|TEST|LIVE|Tillpost|QR|SHA-256)\b/g,
];

/**
 * Texts of a page with letters that lack the pseudo-language's accents: they weren't in any table of words. `known` is what the test itself
 * entered there.
 */
export async function plainTexts(page: Page, known: readonly string[]): Promise<string[]> {
  const longestFirst = [...known, ...languages.map(({ name }) => name)]
    .filter((text) => text !== "")
    .toSorted((one, other) => other.length - one.length);
  const texts = JSON.parse(await page.evaluate(shown)) as string[];
  const bare = (text: string) =>
    data.reduce(
      (rest, pattern) => rest.replace(pattern, " "),
      longestFirst.reduce((rest, one) => rest.replaceAll(one, " "), text),
    );
  return [...new Set(texts.map((text) => text.trim()).filter((text) => /[A-Za-z]{2}/.test(bare(text))))];
}

/** Every text in a value, such as a page's data. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Words that overflow their element, or are cut off without a sign of it. */
const spilled = `(() => {
  const faults = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || node.textContent.trim() === "" || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const block = parent.closest("button, a, code, td, th, li, p, h1, h2, h3, label, dd, dt, summary, span, div") ?? parent;
    const style = getComputedStyle(block);
    // What is cut off within is cut off with a sign; and where words may break anywhere, only a line's last space reaches beyond.
    let isCut = style.whiteSpace.startsWith("pre-wrap") && style.overflowWrap === "anywhere";
    for (let within = parent; within !== block; within = within.parentElement) isCut ||= getComputedStyle(within).textOverflow === "ellipsis";
    if (isCut || style.display === "inline" || style.textOverflow === "ellipsis" || block.closest(".unseen, .skip, script, style") !== null) continue;
    if (block.closest("thead") !== null && getComputedStyle(block.closest("thead")).clipPath !== "none") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const [text, frame] = [range.getBoundingClientRect(), block.getBoundingClientRect()];
    if (frame.width > 0 && (text.left < frame.left - 1.5 || text.right > frame.right + 1.5) && style.overflowX === "visible")
      faults.push(node.textContent.trim().slice(0, 60) + " in " + block.tagName.toLowerCase() + "." + block.className);
  }
  return JSON.stringify(faults);
})()`;

/** The innermost elements that overflow the screen's sides. */
const outside = `(() => {
  const width = document.documentElement.clientWidth;
  const reaching = [...document.body.querySelectorAll("*")].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return right > left && (left < -0.5 || right > width + 0.5);
  });
  const innermost = reaching.filter((one) => !reaching.some((other) => other !== one && one.contains(other)));
  return innermost.slice(0, 3).map((one) => one.tagName.toLowerCase() + "." + one.getAttribute("class")).join(", ");
})()`;

/** What is wrong with how a page shows a longer right-to-left language. */
export async function layoutFaults(page: Page): Promise<string[]> {
  const faults = JSON.parse(await page.evaluate(spilled)) as string[];
  const wider = Number(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"));
  const dir = String(await page.evaluate("document.documentElement.dir"));
  return [
    ...faults.map((fault) => `does not fit: ${fault}`),
    ...(wider > 0 ? [`${wider} pixels wider than the screen: ${String(await page.evaluate(outside))}`] : []),
    ...(dir === "rtl" ? [] : [`dir is ${JSON.stringify(dir)}`]),
  ];
}
