import { sweepFiles } from "#assets/index.ts";
import { chainAudit } from "#identity/index.ts";
import { rollBalances } from "#ledger/index.ts";
import { expireDue } from "#orders/index.ts";
import { type Ctx, forgetOldKeys } from "#platform/index.ts";

/** Work that comes due by itself. `run` does one portion and answers its size; after a portion the next follows at once, else after `everyMs`. */
export interface Task {
  name: string;
  everyMs: number;
  run(ctx: Ctx): Promise<number>;
}

export const tasks: readonly Task[] = [
  { name: "expire_orders", everyMs: 200, run: (ctx) => expireDue(ctx) },
  { name: "roll_balances", everyMs: 1_000, run: (ctx) => rollBalances(ctx, 1_000) },
  { name: "chain_audit", everyMs: 1_000, run: (ctx) => chainAudit(ctx) },
  { name: "forget_idempotency_keys", everyMs: 60_000, run: (ctx) => ctx.transact((tx) => forgetOldKeys(tx, ctx.now(), 1_000)) },
  { name: "sweep_files", everyMs: 60_000, run: sweepFiles },
];
