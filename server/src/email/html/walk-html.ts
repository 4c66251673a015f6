import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { closesBefore, isVoid, leavesForeign, startsForeign } from "./element-rules.ts";

/** An attribute of an opening tag, and the position of its text in the source. */
export interface HtmlAttribute {
  /** In lower case. */
  name: string;
  value: string;
  start: number;
  end: number;
}

/** Events of the parsed text, in order. Unclosed elements are closed at the end. */
export interface HtmlReader {
  /** An element begins; a void element is never closed. */
  open?(name: string, attributes: readonly HtmlAttribute[]): void;
  /** `at`: where its closing tag begins; null if it is closed without one. */
  close?(name: string, at: number | null): void;
  text?(text: string): void;
}

/** The maximum nesting. Genuine email has some thirty levels; mail clients fail at a few hundred. */
export const nestingMax = 500;

interface Open {
  name: string;
  /** Inside SVG or MathML, where `/>` ends an element. */
  foreign: boolean;
}

/**
 * Parses HTML in one pass. The work per character is bounded, whatever precedes it, so time only grows with the text's length. Returns
 * false if it is nested too deeply; the rest isn't read.
 */
export function walkHtml(html: string, reader: HtmlReader): boolean {
  const walk = new Walk(html, reader);
  const tokenizer = new Tokenizer({ decodeEntities: true }, walk);
  walk.stop = () => tokenizer.pause();
  tokenizer.write(html);
  if (walk.tooDeep) return false;
  tokenizer.end();
  return !walk.tooDeep;
}

class Walk implements TokenizerCallbacks {
  tooDeep = false;
  stop = () => {};
  private readonly html: string;
  private readonly reader: HtmlReader;
  private readonly stack: Open[] = [];
  /** How often each name is on the stack, so that a closing tag without an opening one costs nothing. */
  private readonly counts = new Map<string, number>();
  private name = "";
  private attributes: HtmlAttribute[] = [];
  private attribute = { name: "", start: 0 };
  private value: string[] = [];

  constructor(html: string, reader: HtmlReader) {
    this.html = html;
    this.reader = reader;
  }

  ontext(start: number, end: number): void {
    this.reader.text?.(this.html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.reader.text?.(String.fromCodePoint(codepoint));
  }

  onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase();
    this.attributes = [];
  }

  onattribname(start: number, end: number): void {
    this.attribute = { name: this.html.slice(start, end).toLowerCase(), start };
    this.value = [];
  }

  onattribdata(start: number, end: number): void {
    this.value.push(this.html.slice(start, end));
  }

  onattribentity(codepoint: number): void {
    this.value.push(String.fromCodePoint(codepoint));
  }

  onattribend(_quote: unknown, end: number): void {
    this.attributes.push({ ...this.attribute, value: this.value.join(""), end });
  }

  onopentagend(): void {
    this.open(this.name, this.attributes);
  }

  onselfclosingtag(): void {
    this.open(this.name, this.attributes);
    if (this.stack.at(-1)?.name === this.name && this.stack.at(-1)?.foreign === true) this.pop(null);
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (name === "br") return this.open("br", []);
    if (!this.counts.has(name)) {
      if (name !== "p") return;
      this.open("p", []);
    }
    while (this.stack.at(-1)?.name !== name) this.pop(null);
    this.pop(this.html.lastIndexOf("<", start));
  }

  onend(): void {
    while (!this.tooDeep && this.stack.length > 0) this.pop(null);
  }

  oncomment(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private open(name: string, attributes: HtmlAttribute[]): void {
    if (this.tooDeep) return;
    for (let top = this.stack.at(-1); top !== undefined && closesBefore(name, top.name); top = this.stack.at(-1)) this.pop(null);
    if (!isVoid(name)) {
      if (this.stack.length >= nestingMax) {
        this.tooDeep = true;
        return this.stop();
      }
      const inherited = this.stack.at(-1)?.foreign ?? false;
      this.stack.push({ name, foreign: startsForeign(name) || (inherited && !leavesForeign(name)) });
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
    this.reader.open?.(name, attributes);
  }

  private pop(at: number | null): void {
    const { name } = this.stack.pop() as Open;
    const left = (this.counts.get(name) as number) - 1;
    if (left === 0) this.counts.delete(name);
    else this.counts.set(name, left);
    this.reader.close?.(name, at);
  }
}
