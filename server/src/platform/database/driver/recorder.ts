import type { Answer, Draft, Written } from "./statement.ts";

interface Step {
  written: Written;
  answer?: Answer<unknown>;
  /** The meaning of its failure, for the code that recorded it. */
  refuse?: (error: unknown) => unknown;
}

/** The result of a pipeline's statement. It can't be awaited: it has a value once all of them have results. */
export class Piped<T> {
  readonly #read: () => T;
  readonly #steps: readonly Step[];
  #known: { value: T } | undefined;

  constructor(read: () => T, steps: readonly Step[]) {
    this.#read = read;
    this.#steps = steps;
  }

  /** Only after all results arrived. */
  value(): T {
    this.#known ??= { value: this.#read() };
    return this.#known.value;
  }

  map<U>(read: (value: T) => U): Piped<U> {
    return new Piped(() => read(this.value()), this.#steps);
  }

  refusing(refuse: (error: unknown) => unknown): this {
    for (const step of this.#steps) step.refuse ??= refuse;
    return this;
  }
}

/** Recorded statements in order, to be sent together. */
export class Recorder {
  readonly #steps: Step[] = [];
  #isOver = false;

  add<Row, T>(draft: Draft, read: (rows: Answer<Row>) => T): Piped<T> {
    if (this.#isOver) throw new Error("a statement came after its pipeline was sent");
    const step: Step = { written: draft.written() };
    this.#steps.push(step);
    return new Piped(() => read(step.answer as Answer<Row>), [step]);
  }

  /** Sends the recorded statements. Throws the error of the first one that failed, with its text: later ones failed because of it. */
  async send(sendAll: (statements: readonly Written[]) => Promise<Answer<unknown>>[]): Promise<void> {
    this.#isOver = true;
    const outcomes = await Promise.allSettled(sendAll(this.#steps.map(({ written }) => written)));
    for (const [index, outcome] of outcomes.entries()) {
      const step = this.#steps[index] as Step;
      if (outcome.status === "fulfilled") step.answer = outcome.value;
      else throw explained(step, outcome.reason);
    }
  }
}

function explained({ written, refuse }: Step, error: unknown): unknown {
  if (refuse !== undefined) return refuse(error);
  return error instanceof Error ? Object.assign(error, { statement: written.text.trim() }) : error;
}
