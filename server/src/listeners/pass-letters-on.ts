import type { Letter } from "#email/index.ts";
import { type Ctx, notice, ownMerchantId } from "#platform/index.ts";

export interface LetterBox {
  /** Hands a letter to the operators; false when they have had as many as they can be expected to read, so that it comes again. */
  passOn(given: { to: string; from: string; letter: Letter }): Promise<boolean>;
}

const maxAnHour = 20;
const hourMs = 3_600_000;

/** Passes letters to `postmaster` and `abuse` on. What programs write is taken and goes no further: two of them could write to each other for good. */
export function createLetterBox(ctx: Ctx): LetterBox {
  let passed: number[] = [];
  return {
    async passOn({ to, from, letter }) {
      if (letter.isAutomatic) return true;
      const now = ctx.now().getTime();
      passed = passed.filter((at) => now - at < hourMs);
      if (passed.length >= maxAnHour) return false;
      passed.push(now);
      const params = { to: to.slice(0, 320), from: from.slice(0, 320), subject: letter.subject, text: letter.text };
      await ctx.transact((tx) => notice(tx, ctx, { kind: "letter_received", recipient: ownMerchantId, params }));
      return true;
    },
  };
}
