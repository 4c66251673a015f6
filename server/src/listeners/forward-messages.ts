import type { InboundMessage } from "#email/index.ts";
import { type Ctx, notice, ownMerchantId } from "#platform/index.ts";

export interface Forwarder {
  /**
   * Forwards a message to the operators; false if they already got as many as they can be expected to read, so that it is delivered again.
   */
  forward(given: { to: string; from: string; message: InboundMessage }): Promise<boolean>;
}

const maxAnHour = 20;
const hourMs = 3_600_000;

/**
 * Forwards messages to `postmaster` and `abuse`. Automatic emails are accepted but not forwarded: two programs could write to each other
 * indefinitely.
 */
export function createForwarder(ctx: Ctx): Forwarder {
  let passed: number[] = [];
  return {
    async forward({ to, from, message }) {
      if (message.isAutomatic) return true;
      const now = ctx.now().getTime();
      passed = passed.filter((at) => now - at < hourMs);
      if (passed.length >= maxAnHour) return false;
      passed.push(now);
      const params = { to: to.slice(0, 320), from: from.slice(0, 320), subject: message.subject, text: message.text };
      await ctx.transact((tx) => notice(tx, ctx, { kind: "letter_received", recipient: ownMerchantId, params }));
      return true;
    },
  };
}
