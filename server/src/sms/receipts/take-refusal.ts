import { atNow, type Ctx } from "#platform/index.ts";
import { changeSms } from "../change/change-sms.ts";
import { errorOf } from "../error-words.ts";
import type { LateRefusal } from "../transport.ts";
import { isDoubtful } from "./apply-receipts.ts";
import { refusalId } from "./provider-ids.ts";
import { insertEarly } from "./sql.ts";

/**
 * Ends a message in doubt whose carrier turned out to have refused the part that is in doubt. If the result of its attempt isn't stored
 * yet, the refusal waits for that, as a report does.
 */
export function takeRefusal(ctx: Ctx, { provider, part, code, message, provider_code }: LateRefusal): Promise<void> {
  return ctx.transact(async (tx) => {
    const { project_id, livemode, id } = part;
    let isEarly = false;
    await changeSms(tx, await atNow(ctx, tx), {
      keys: [{ project_id, livemode, id }],
      change(row) {
        isEarly = row.state === "leased";
        return isDoubtful(row, { provider, message: part })
          ? { status: "undelivered", provider, error: errorOf(code, { message, provider_code }) }
          : null;
      },
    });
    const report = { provider, provider_message_id: refusalId, state: "undelivered", code, provider_code, occurred_at: null } as const;
    if (isEarly) await insertEarly(tx, [{ ...report, message: part }]);
  });
}
