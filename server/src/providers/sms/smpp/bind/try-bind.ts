import type { SmppBind } from "../settings/read-binds.ts";
import { spellStatus } from "../wire/answers.ts";
import { usualLimits } from "./limits.ts";
import { BindRefused, openSession } from "./session.ts";

/** The result of trying a bind: the carrier accepts it, already has it, or refuses it. */
export type BindTried = { state: "bound" } | { state: "already_bound" } | { state: "refused"; reason: string };

const alreadyBound = 0x05;
const meanings: Readonly<Record<number, string>> = {
  13: "it refuses the bind",
  14: "it doesn't accept the password",
  15: "it doesn't know the system_id",
  83: "it doesn't accept the system_type",
};

/** Binds and unbinds. Anything that the carrier delivers in between is refused as temporary, so that it's sent again later. */
export async function tryBind(bind: SmppBind, timeoutMs: number): Promise<BindTried> {
  const limits = { ...usualLimits, connectMs: timeoutMs, bindMs: timeoutMs };
  try {
    const session = await openSession({ bind, limits, onDeliver: () => Promise.reject(new Error("nothing is stored here")) });
    await session.close();
    return { state: "bound" };
  } catch (error) {
    const status = error instanceof BindRefused ? error.status : null;
    if (status === alreadyBound) return { state: "already_bound" };
    const meaning = status === null ? undefined : meanings[status];
    return {
      state: "refused",
      reason: meaning === undefined || status === null ? (error as Error).message : `${meaning} (${spellStatus(status)})`,
    };
  }
}
