import { rankByWeight, reachesNumber } from "#messaging/index.ts";
import type { OutgoingSms } from "#sms/index.ts";
import type { Bind } from "./bind/create-bind.ts";
import { providerOf } from "./settings/accounts.ts";

type Recipient = Pick<OutgoingSms, "to" | "country">;

/** Whether any bind serves this number, connected or not. */
export function hasRoute(binds: readonly Pick<Bind, "settings">[], sms: Recipient): boolean {
  return binds.some(({ settings }) => reachesNumber(settings.countries, sms));
}

type Choosable = Pick<Bind, "settings" | "isUp" | "restsUntil">;

/** Whether a bind accepts messages now. */
export function isAble({ isUp, restsUntil }: Pick<Choosable, "isUp" | "restsUntil">): boolean {
  return isUp && restsUntil() === null;
}

/**
 * Chooses the bind for a message: by weight among those that can send now, and after a failed attempt the next one. A handset joins only
 * parts from one sender, so the rest of a message waits for the bind that sent its first parts. null if no bind can send now.
 */
export function chooseBind<B extends Choosable>(
  binds: readonly B[],
  sms: Pick<OutgoingSms, "sms_id" | "to" | "country" | "firstPartsBy" | "turn">,
): B | null {
  const able = binds.filter((bind) => isAble(bind) && reachesNumber(bind.settings.countries, sms));
  const started = binds.find(({ settings }) => providerOf(settings) === sms.firstPartsBy);
  if (started !== undefined) return able.find((bind) => bind === started) ?? null;
  const ranked = rankByWeight(able, sms.sms_id, ({ settings }) => settings);
  return ranked[sms.turn % Math.max(ranked.length, 1)] ?? null;
}
