import { type Cell, cleanCell } from "./lines.ts";

/** Valid content of a column, if the layout defines it. `text` columns may contain unquoted commas; `plain` ones are only informational. */
export interface ColumnRule {
  kind: "text" | "amount" | "one" | "plain";
  fits(text: string): boolean;
}

/** Commas split a row into at most this many more cells than there are columns. */
const extraMax = 12;
const amountParts = /^[¥￥]?\s*-?\d{1,3}(,\d{3})+(\.\d+)?$/;

/**
 * Assigns a row's cells to its columns. If unquoted commas made more cells than there are columns, cells are joined so that every column
 * has valid content. null if there is no way, or more than one for a column that decides about money. Of a text column that could be split
 * in two ways, only the certain part is used.
 */
export function fitColumns(rules: readonly ColumnRule[], cells: readonly Cell[]): string[] | null {
  // Empty cells at a row's end may be its own last ones or come from a trailing comma: they are added back one by one until the row fits.
  for (let length = shortestOf(cells, rules.length); length <= Math.min(cells.length, rules.length + extraMax); length += 1) {
    const texts = fitExactly(rules, cells.slice(0, length));
    if (texts !== null) return texts;
  }
  return null;
}

function fitExactly(rules: readonly ColumnRule[], given: readonly Cell[]): string[] | null {
  const padded = [...given, ...Array.from({ length: Math.max(0, rules.length - given.length) }, () => ({ text: "", whole: true }))];
  const spans = spansOf(rules, padded);
  const texts: string[] = [];
  for (const [index, rule] of rules.entries()) {
    const candidates = spans[index] ?? [];
    if (candidates.length === 0 || (candidates.length > 1 && (rule.kind === "one" || rule.kind === "amount"))) return null;
    const from = Math.max(...candidates.map(([start]) => start));
    const to = Math.min(...candidates.map(([, end]) => end));
    texts.push(joined(padded, from, to));
  }
  return texts;
}

type Span = readonly [start: number, end: number];

/** For each column, the runs of cells that it gets in any way of assigning all cells to all columns. */
function spansOf(rules: readonly ColumnRule[], cells: readonly Cell[]): Span[][] {
  const extra = cells.length - rules.length;
  const reached: Set<number>[] = [new Set([0])];
  const steps = rules.map((rule, index) => {
    const next = new Set<number>();
    const spans: Span[] = [];
    for (const start of reached[index] ?? []) {
      for (let end = start + 1; end <= start + 1 + extra && end <= cells.length; end += 1) {
        if (!mayHold(rule, cells, [start, end])) continue;
        spans.push([start, end]);
        next.add(end);
      }
    }
    reached.push(next);
    return spans;
  });
  let ends = new Set([cells.length]);
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const remaining = (steps[index] ?? []).filter(([, end]) => ends.has(end));
    steps[index] = remaining;
    ends = new Set(remaining.map(([start]) => start));
  }
  return steps;
}

function mayHold(rule: ColumnRule, cells: readonly Cell[], [start, end]: Span): boolean {
  if (end - start === 1) return rule.fits(cleanCell(cells[start]?.text ?? ""));
  if (rule.kind === "one" || rule.kind === "plain" || cells.slice(start, end).some((cell) => cell.whole)) return false;
  const text = joined(cells, start, end);
  return (rule.kind === "text" || amountParts.test(text)) && rule.fits(text);
}

function joined(cells: readonly Cell[], start: number, end: number): string {
  return cleanCell(
    cells
      .slice(start, Math.max(start, end))
      .map((cell) => cell.text)
      .join(","),
  );
}

/** The number of cells without the empty ones at the end, but not fewer than there are columns. */
function shortestOf(cells: readonly Cell[], columns: number): number {
  let length = cells.length;
  while (length > columns && cells[length - 1]?.text.trim() === "") length -= 1;
  return length;
}
