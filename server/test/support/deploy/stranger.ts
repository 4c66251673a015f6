import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, blocksOf } from "#test/support/guides/guides.ts";
import { repository } from "./shipped.ts";

/** A terminal that runs lines, each of which must succeed, and returns their output. */
interface Terminal {
  type(lines: string): string;
}

/** A reader who follows a page of `docs/operations/` literally: as root at a terminal, one block after the other. */
export class Stranger {
  readonly #page: string;
  readonly #blocks: Block[];
  #variables = "";

  /** Without `until`, which is a heading, the whole page. */
  constructor(page: string, until?: string) {
    this.#page = page;
    const end = until === undefined ? Number.POSITIVE_INFINITY : lineOf(page, until);
    this.#blocks = blocksOf(`operations/${page}`).filter(({ line }) => line < end);
  }

  /** Types the next block, which must contain `part`, and returns the terminal's output. */
  follow(terminal: Terminal, part: string): string {
    const text = this.#next(part);
    const printed = terminal.type(`${this.#variables}${text}`);
    this.#variables += (text.match(/^[A-Z_]+=.*$/gm) ?? []).map((one) => `${one}\n`).join("");
    return printed;
  }

  /** Leaves out the next block, which must contain `part`, because the page has it for other readers. */
  skip(part: string): void {
    this.#next(part);
  }

  #next(part: string): string {
    const { text, line } = this.#blocks.shift() ?? { text: "nothing more", line: 0 };
    if (!text.includes(part)) throw new Error(`${this.#page}, line ${line}: expected a block with ${part}, and there is\n${text}`);
    return text;
  }

  /** Blocks that weren't followed yet. */
  left(): string[] {
    return this.#blocks.map(({ text }) => text);
  }
}

function lineOf(page: string, heading: string): number {
  const at = readFileSync(join(repository, "docs/operations", page), "utf8")
    .split("\n")
    .indexOf(heading);
  if (at < 0) throw new Error(`${page} has no heading ${heading}`);
  return at;
}
