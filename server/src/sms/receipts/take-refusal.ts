import { atNow, type Ctx } from "#platform/index.ts";
import { changeSms } from "../change/change-sms.ts";
import { errorOf } from "../error-words.ts";
import type { LateRefusal } from "../transport.ts";
import { isDoubtful } from "./apply-receipts.ts";

/** Ends a message in doubt whose carrier turned out to have refused the part that is in doubt. */
export function takeRefusal(ctx: Ctx, { provider, part, code, message, provider_code }: LateRefusal): Promise<void> {
  return ctx.transact(async (tx) => {
    const { project_id, livemode, id } = part;
    await changeSms(tx, await atNow(ctx, tx), {
      keys: [{ project_id, livemode, id }],
      change: (row) =>
        isDoubtful(row, { provider, message: part })
          ? { status: "undelivered", provider, error: errorOf(code, { message, provider_code }) }
          : null,
    });
  });
}
