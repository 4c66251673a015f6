import { atNow, type Ctx, updatePlanning } from "#platform/index.ts";
import { errorOf } from "../error-words.ts";
import { changeSms } from "./change-sms.ts";
import { listOverdue } from "./sql.ts";

const portion = 500;

/** Ends messages whose validity ended before a carrier accepted them, whatever they waited for. Returns how many. */
export async function expireSms(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const pinned = await atNow(ctx, tx);
    const now = pinned.now();
    const keys = await listOverdue(tx, portion);
    await changeSms(tx, pinned, {
      keys,
      change: ({ state, expires_at, error }) =>
        (state === "due" || state === "set_aside") && expires_at <= now
          ? { status: "failed", state: "done", error: errorOf("expired", { provider_code: error?.provider_code ?? null }) }
          : null,
    });
    return keys.length;
  });
}
