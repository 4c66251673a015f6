import type { Ctx } from "#platform/index.ts";
import { type Change, changeCalls } from "../change/change-calls.ts";
import type { CallRow } from "../shapes.ts";
import { keyOf } from "./begin-call.ts";
import type { ClaimedCall } from "./claim-calls.ts";

/** What happens during a call, stored in the order in which it happened. */
export interface News {
  /** Doesn't wait. Events that can't be stored, because the database is unavailable, are stored with the call's end. */
  write(at: Date, change: (call: Readonly<CallRow>) => Change | null): void;
  /** Resolves when everything is stored. */
  idle(): Promise<void>;
}

export function openNews(ctx: Ctx, { call, lease }: ClaimedCall): News {
  let last = Promise.resolve();
  return {
    write(at, change) {
      const write = () =>
        ctx.transact((tx) =>
          changeCalls(tx, ctx, {
            keys: [keyOf(call)],
            at,
            change: (held) => (held.state === "leased" && held.lease === lease ? change(held) : null),
          }),
        );
      last = last.then(write).then(
        () => {},
        (err: unknown) => ctx.log.warn({ err, call: call.id }, "a call's progress couldn't be recorded; its end will be"),
      );
    },
    idle: () => last,
  };
}
