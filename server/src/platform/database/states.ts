/** The states of a kind of row, and their allowed transitions. Code checks transitions against this, and so does a trigger of the table. */
export interface States<State extends string> {
  readonly all: readonly State[];
  /** Every allowed transition as `from>to`, the form in which statements and triggers compare them. */
  readonly moves: readonly string[];
  allows(from: State, to: State): boolean;
  /** Throws for the first of `from` that can't become `to`. Staying the same is always allowed. */
  check(from: readonly State[], to: State): void;
}

/** Defines the states of a `thing`, each with the states that can follow it. */
export function defineStates<State extends string>(thing: string, next: Readonly<Record<State, readonly State[]>>): States<State> {
  const all = Object.keys(next) as State[];
  const allows = (from: State, to: State) => next[from].includes(to);
  return {
    all,
    moves: all.flatMap((from) => next[from].map((to) => `${from}>${to}`)),
    allows,
    check(from, to) {
      const illegal = from.find((one) => one !== to && !allows(one, to));
      if (illegal !== undefined) throw new Error(`no ${thing} moves from ${illegal} to ${to}`);
    },
  };
}
