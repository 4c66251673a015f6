import { encodeValue } from "./values.ts";

/** Rows, with the number of rows touched as `count`. */
export type Answer<Row> = Row[] & { count: number };

export interface Written {
  text: string;
  values: (string | Buffer | null)[];
}

/** Sends statements to the database. */
export interface Sender {
  send<Row>(written: Written): Promise<Answer<Row>>;
  /** Sends a short read that can safely run twice; it may wait behind others like it. Only outside a transaction. */
  read?<Row>(written: Written): Promise<Answer<Row>>;
  /** Sends statements with one write, in order; only inside a transaction. */
  sendAll?(statements: readonly Written[]): Promise<Answer<unknown>>[];
  /** The same for the last statements of a transaction, followed by its COMMIT. */
  sendLast?(statements: readonly Written[]): Promise<Answer<unknown>>[];
  /** Gets every statement before it is sent (tests throw from it to simulate a crash). */
  probe?: ((text: string) => void) | undefined;
  /** Runs `work` in a savepoint; only inside a transaction. */
  savepoint?<T>(work: (inner: Sender) => Promise<T>): Promise<T>;
}

const columnName = /^[a-z_][a-z0-9_]*$/;

/** Column names, which become part of a statement's text; anything that isn't a plain name throws. */
export class ColumnNames {
  readonly text: string;
  readonly #names: readonly string[];
  readonly #after = new Map<string, ColumnNames>();

  constructor(names: readonly string[], alias?: string) {
    for (const name of alias === undefined ? names : [...names, alias])
      if (!columnName.test(name)) throw new TypeError(`not a column's name: ${name}`);
    this.#names = names;
    this.text = names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(", ");
  }

  of(alias: string): ColumnNames {
    const known = this.#after.get(alias) ?? new ColumnNames(this.#names, alias);
    this.#after.set(alias, known);
    return known;
  }
}

/** A statement before it is sent; inside another's `${}` it becomes part of that one. */
export class Draft {
  readonly #strings: readonly string[];
  readonly #values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.#strings = strings;
    this.#values = values;
  }

  written(): Written {
    const written: Written = { text: "", values: [] };
    this.#write(written);
    return written;
  }

  #write(into: Written): void {
    for (const [index, part] of this.#strings.entries()) {
      into.text += part;
      if (index === this.#values.length) return;
      const value = this.#values[index];
      if (value instanceof Draft) {
        value.#write(into);
        continue;
      }
      if (value instanceof ColumnNames) {
        into.text += value.text;
        continue;
      }
      const { text, cast } = encodeValue(value);
      into.values.push(text);
      into.text += `$${into.values.length}${cast}`;
    }
  }
}

/** A statement of the tagged template. It is sent when it is first awaited. */
export class Statement<Row> extends Draft implements PromiseLike<Answer<Row>> {
  readonly #send: (written: Written) => Promise<Answer<Row>>;
  #answer: Promise<Answer<Row>> | undefined;

  constructor(strings: readonly string[], values: readonly unknown[], send: (written: Written) => Promise<Answer<Row>>) {
    super(strings, values);
    this.#send = send;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a statement sends it.
  then<A = Answer<Row>, B = never>(
    done?: ((answer: Answer<Row>) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#answer ??= this.#start();
    return this.#answer.then(done, failed);
  }

  async #start(): Promise<Answer<Row>> {
    return await this.#send(this.written());
  }
}
