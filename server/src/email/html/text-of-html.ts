import { isVoid } from "./element-rules.ts";
import { TextPage } from "./text-page.ts";
import { type HtmlAttribute, type HtmlReader, walkHtml } from "./walk-html.ts";

/** Elements whose content isn't text. */
const unread = new Set(["title", "style", "script", "template", "svg", "math", "select", "textarea", "object", "iframe", "audio", "video"]);
/** Elements on their own lines; true: with an empty line before and after. */
const blocks: ReadonlyMap<string, boolean> = new Map([
  ...["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "pre", "figure"].map(
    (name) => [name, true] as const,
  ),
  ...[
    "address",
    "article",
    "aside",
    "body",
    "center",
    "dd",
    "details",
    "div",
    "dt",
    "fieldset",
    "figcaption",
    "footer",
    "form",
    "header",
    "li",
    "main",
  ].map((name) => [name, false] as const),
  ...["nav", "section", "summary", "tbody", "tfoot", "thead", "tr", "caption"].map((name) => [name, false] as const),
]);
const lists = new Set(["ul", "ol"]);
const cells = new Set(["td", "th"]);

/** What to do when an open element ends. */
interface Element {
  name: string;
  href: string | null;
  /** The position where a link's text begins. */
  from: number;
}

/**
 * Makes a readable text for a message that only has HTML: links keep their addresses, images their descriptions, table cells their spacing.
 * Hidden HTML is left out: `display:none` and similar, as preview lines use it, and elements with `data-skip-in-text`. null if it is nested
 * too deeply to be read.
 */
export function textOfHtml(html: string): string | null {
  const reader = new TextReader();
  return walkHtml(html, reader) ? reader.page.end() : null;
}

class TextReader implements HtmlReader {
  readonly page = new TextPage();
  private readonly elements: Element[] = [];
  private readonly numbers: (number | null)[] = [];
  /** How many open elements have hidden content. */
  private hidden = 0;

  open(name: string, attributes: readonly HtmlAttribute[]): void {
    if (this.hidden > 0 || unread.has(name) || isHidden(attributes)) {
      // A void element has no end, and no content to hide.
      if (!isVoid(name)) this.hidden += 1;
      return;
    }
    if (name === "br") return this.page.line();
    if (name === "hr") return this.page.rule();
    if (name === "img") return this.page.words(attributeOf(attributes, "alt") ?? "");
    if (isVoid(name)) return;
    const empty = blocks.get(name);
    if (empty !== undefined) this.page.block(empty && !this.isInList(name));
    if (lists.has(name)) this.numbers.push(name === "ol" ? startOf(attributes) : null);
    if (name === "li") this.page.item(this.nextMark());
    if (name === "blockquote") this.page.indent("> ");
    if (name === "pre") this.page.preserve(1);
    this.elements.push({ name, href: name === "a" ? hrefOf(attributes) : null, from: this.page.length });
  }

  close(name: string): void {
    if (this.hidden > 0) {
      this.hidden -= 1;
      return;
    }
    const { href, from } = this.elements.pop() as Element;
    if (href !== null) this.page.address(href, from);
    if (cells.has(name)) this.page.gap();
    if (name === "pre") this.page.preserve(-1);
    if (name === "blockquote") this.page.outdent("> ");
    if (name === "li") this.page.endItem();
    if (lists.has(name)) this.numbers.pop();
    const empty = blocks.get(name);
    if (empty !== undefined) this.page.block(empty && !this.isInList(name));
  }

  text(text: string): void {
    if (this.hidden === 0) this.page.words(text);
  }

  /** A list in a list begins on the next line. */
  private isInList(name: string): boolean {
    return lists.has(name) && this.numbers.length > 0;
  }

  private nextMark(): string {
    const at = this.numbers.length - 1;
    const number = this.numbers[at] ?? null;
    if (number === null) return "* ";
    this.numbers[at] = number + 1;
    return `${number}. `;
  }
}

function attributeOf(attributes: readonly HtmlAttribute[], name: string): string | null {
  return attributes.find((one) => one.name === name)?.value ?? null;
}

function isHidden(attributes: readonly HtmlAttribute[]): boolean {
  return attributes.some(({ name, value }) => {
    if (name === "hidden") return true;
    if (name === "data-skip-in-text") return value.trim().toLowerCase() !== "false";
    return name === "style" && hides(value);
  });
}

/** True if a style hides its element; the last declaration of a property counts. */
function hides(style: string): boolean {
  const found = new Map<string, string>();
  for (const declaration of style.toLowerCase().split(";")) {
    const colon = declaration.indexOf(":");
    if (colon > 0) found.set(declaration.slice(0, colon).trim(), (declaration.slice(colon + 1).split("!", 1)[0] as string).trim());
  }
  const isNought = (name: string) => /^[0.]{1,8}(?:px|em|rem|pt|%)?$/.test(found.get(name) ?? "1");
  if (found.get("display") === "none" || found.get("visibility") === "hidden" || found.get("mso-hide") === "all") return true;
  if (isNought("font-size") || isNought("opacity")) return true;
  return found.get("overflow") === "hidden" && (isNought("max-height") || isNought("height") || isNought("max-width"));
}

function startOf(attributes: readonly HtmlAttribute[]): number {
  const start = Number(attributeOf(attributes, "start") ?? 1);
  return Number.isSafeInteger(start) && start >= 0 && start < 1_000_000 ? start : 1;
}

/** The address that a reader of the text needs; none for anchors within the message. */
function hrefOf(attributes: readonly HtmlAttribute[]): string | null {
  const href = (attributeOf(attributes, "href") ?? "").trim();
  return href === "" || href.startsWith("#") || /^javascript:/i.test(href) ? null : href.replace(/^mailto:/i, "");
}
