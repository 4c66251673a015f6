const lineLength = 78;
/** Quote and list marks before a line, however deeply nested: the text must not become much longer than its HTML. */
const deepestMarks = 6;
/** A link with more pieces isn't an address that is shown as its own text. */
const maxPieces = 40;
/** Invisible characters that fill the preview line of inboxes. */
const filler = /^(?:\u034f|[\u00a0\u00ad\u2007\u200b-\u200f\u2060\ufeff])+$/;

/** A plain text as it is being written: words are wrapped at 78 characters, and empty lines are never repeated. */
export class TextPage {
  /** Words written so far, each as it appears in the text. */
  length = 0;
  private readonly lines: string[] = [];
  private readonly written: string[] = [];
  private current = "";
  /** A list item's mark, which appears only before the next line. */
  private mark: string | null = null;
  private readonly marks: string[] = [];
  private preserved = 0;
  private isSpaced = false;
  private hasGap = false;
  private word = "";

  /** Adds text of the HTML: each run of white space becomes one space. */
  words(text: string): void {
    if (this.preserved > 0) return this.keep(text);
    const parts = text.split(/[ \t\n\r\f]+/);
    parts.forEach((part, index) => {
      if (index > 0) this.space();
      if (part !== "") {
        this.length += 1;
        this.written.push(part);
        this.word += part;
      }
    });
  }

  /** Adds the address of a link whose text began with word number `from`; left out if it equals the text. */
  address(href: string, from: number): void {
    const isShort = this.written.length - from <= maxPieces;
    const text = isShort ? this.written.slice(from).join("") : null;
    const same = text === href || text === href.replace(/^https?:\/\//i, "") || text === href.replace(/\/$/, "");
    if (same) return;
    if (text !== "") this.space();
    this.words(`[${href.replace(/[\s[\]]+/g, (odd) => encodeURIComponent(odd))}]`);
  }

  /** Adds space between the cells of a row. */
  gap(): void {
    this.space();
    this.hasGap = true;
  }

  line(): void {
    this.endWord();
    this.endLine();
  }

  rule(): void {
    this.block(true);
    this.words("-".repeat(40));
    this.block(true);
  }

  /** Begins a new line unless there already is one; with `withEmpty`, after an empty line. */
  block(withEmpty: boolean): void {
    this.endWord();
    if (this.current !== "") this.endLine();
    if (withEmpty && this.lines.length > 0 && this.mark === null) this.empty();
    this.isSpaced = false;
  }

  item(mark: string): void {
    this.mark = mark;
    this.marks.push(" ".repeat(mark.length));
  }

  endItem(): void {
    this.endWord();
    if (this.current !== "") this.endLine();
    this.mark = null;
    this.marks.pop();
  }

  indent(mark: string): void {
    this.marks.push(mark);
  }

  outdent(mark: string): void {
    this.endWord();
    if (this.current !== "") this.endLine();
    if (this.lines.at(-1) === this.prefix().trimEnd()) this.lines.pop();
    if (this.marks.at(-1) === mark) this.marks.pop();
  }

  preserve(change: 1 | -1): void {
    this.endWord();
    this.preserved += change;
  }

  end(): string {
    this.block(false);
    return this.lines.join("\n").replace(/^\n+/, "").trimEnd();
  }

  private keep(text: string): void {
    text.split(/\r\n?|\n/).forEach((part, index) => {
      if (index > 0) this.endLine();
      if (part === "") return;
      this.length += 1;
      this.written.push(part.trim());
      this.current += part;
    });
  }

  private space(): void {
    this.endWord();
    this.isSpaced = true;
  }

  private endWord(): void {
    const { word } = this;
    if (word === "") return;
    this.word = "";
    if (filler.test(word)) return;
    const room = lineLength - this.prefix().length;
    if (this.current === "") this.current = word;
    else if (!this.isSpaced && !this.hasGap) this.current += word;
    else if (this.current.length + 1 + word.length <= room) this.current += ` ${word}`;
    else {
      this.endLine();
      this.current = word;
    }
    this.isSpaced = false;
    this.hasGap = false;
  }

  private endLine(): void {
    if (this.current.trim() === "") this.empty();
    else this.lines.push(`${this.prefix()}${this.current}`.trimEnd());
    this.current = "";
    this.isSpaced = false;
    this.hasGap = false;
    this.mark = null;
  }

  private empty(): void {
    const line = this.prefix().trimEnd();
    if (this.lines.at(-1) !== line) this.lines.push(line);
  }

  private prefix(): string {
    const { marks, mark } = this;
    if (marks.length === 0) return "";
    const shown = marks.slice(-deepestMarks);
    return mark === null ? shown.join("") : `${shown.slice(0, -1).join("")}${mark}`;
  }
}
