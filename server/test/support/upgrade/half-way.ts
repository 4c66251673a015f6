import { eventually } from "#test/support/time/eventually.ts";

/** Ends whatever runs before one of its statements, as the loss of its process would; nothing after it runs either. */
export interface Cut {
  probe(text: string): void;
  /** Runs `work` until this statement, and returns once it was interrupted there. */
  at(statement: RegExp, work: () => Promise<unknown>): Promise<void>;
}

export function createCut(): Cut {
  let armed: RegExp | null = null;
  let isCut = false;
  return {
    probe(text) {
      if (armed === null) return;
      isCut ||= armed.test(text);
      if (isCut) throw new Error("the process is gone");
    },
    async at(statement, work) {
      [armed, isCut] = [statement, false];
      const running = work().catch(() => {});
      await eventually("it is cut off", () => isCut);
      await running;
      armed = null;
    },
  };
}
