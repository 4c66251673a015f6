import { splitList } from "./scan.ts";

/** A map, because a peer's header may have the name of an object's own property, such as `constructor`. */
const compact: ReadonlyMap<string, string> = new Map([
  ["a", "accept-contact"],
  ["b", "referred-by"],
  ["c", "content-type"],
  ["d", "request-disposition"],
  ["e", "content-encoding"],
  ["f", "from"],
  ["i", "call-id"],
  ["j", "reject-contact"],
  ["k", "supported"],
  ["l", "content-length"],
  ["m", "contact"],
  ["o", "event"],
  ["r", "refer-to"],
  ["s", "subject"],
  ["t", "to"],
  ["u", "allow-events"],
  ["v", "via"],
  ["x", "session-expires"],
  ["y", "identity"],
]);

/** Headers of a message in order. Names are stored in lower case and in their long form. */
export class HeaderList {
  private readonly rows: [name: string, value: string][] = [];

  constructor(rows: readonly (readonly [name: string, value: string])[] = []) {
    for (const [name, value] of rows) this.add(name, value);
  }

  add(name: string, value: string): this {
    const lower = name.toLowerCase();
    this.rows.push([compact.get(lower) ?? lower, value]);
    return this;
  }

  /** The first row of that name, or null. */
  get(name: string): string | null {
    return this.rows.find(([one]) => one === name)?.[1] ?? null;
  }

  /** Every row of that name, as written. */
  rowsOf(name: string): string[] {
    return this.rows.filter(([one]) => one === name).map(([, value]) => value);
  }

  /** Every value of a comma-separated header, over all its rows. */
  listOf(name: string): string[] {
    return this.rowsOf(name).flatMap(splitList);
  }

  /** Whether a comma-separated header of tokens includes one, in any case. */
  names(name: string, token: string): boolean {
    return this.listOf(name).some((one) => one.toLowerCase() === token.toLowerCase());
  }

  entries(): readonly (readonly [name: string, value: string])[] {
    return this.rows;
  }
}
