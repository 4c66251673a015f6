import { createHash } from "node:crypto";
import { coversCountry } from "#messaging/index.ts";
import type { OutgoingSms } from "#sms/index.ts";
import type { Bind } from "./bind/create-bind.ts";
import type { SmppBind } from "./settings/read-binds.ts";

/** Whether a bind carries messages to some numbers of a country. */
export function reaches({ countries }: Pick<SmppBind, "countries">, country: string): boolean {
  return countries.length === 0 || coversCountry(countries, country);
}

type Recipient = Pick<OutgoingSms, "to" | "country">;

function carries({ countries }: Pick<SmppBind, "countries">, { to, country }: Recipient): boolean {
  return countries.length === 0 || countries.some((one) => one === country || to.startsWith(`+${one}`));
}

/** Whether any bind is for this number, be it up or not. */
export function hasRoute(binds: readonly Pick<Bind, "settings">[], sms: Recipient): boolean {
  return binds.some(({ settings }) => carries(settings, sms));
}

type Choosable = Pick<Bind, "settings" | "isUp" | "restsUntil">;

/**
 * The bind for a message: by weight among those that can take it now, and the same one for the same message as long as it can. `stuckTo`: the one that parts
 * of it went by; the handset joins only what came from one sender, so the rest waits for it. null: none takes it now.
 */
export function chooseBind<B extends Choosable>(binds: readonly B[], sms: Pick<OutgoingSms, "sms_id" | "to" | "country">, stuckTo?: string): B | null {
  const able = binds.filter((bind) => bind.isUp && bind.restsUntil() === null && carries(bind.settings, sms));
  if (stuckTo !== undefined && binds.some(({ settings }) => settings.name === stuckTo)) return able.find(({ settings }) => settings.name === stuckTo) ?? null;
  const scored = able.map((bind) => ({ bind, score: scoreOf(bind.settings, sms.sms_id) }));
  return scored.toSorted((one, other) => other.score - one.score)[0]?.bind ?? null;
}

/** Weighted rendezvous hashing: each bind wins its weight's share of messages, and losing one moves only those that were its own. */
function scoreOf({ name, weight }: SmppBind, id: string): number {
  const drawn = (createHash("sha256").update(`${name}\0${id}`).digest().readUInt32BE(0) + 1) / 4_294_967_298;
  return -weight / Math.log(drawn);
}
