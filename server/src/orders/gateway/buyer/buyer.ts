import type { GatewayBuyer as BuyerAtAccount, GatewayAccount } from "#gateways/index.ts";
import type { GatewayData } from "../../shapes.ts";

/** Who pays, as far as a provider needs it. */
export interface GatewayBuyer extends BuyerAtAccount {
  /** The account that told `openid`: to others it says nothing. */
  identified_at?: string;
}

/** The buyer as an account may know them. */
export function buyerAt(buyer: GatewayBuyer | null, credentialId: string): BuyerAtAccount | null {
  if (buyer === null) return null;
  const { identified_at, ...known } = buyer;
  return identified_at === credentialId ? known : { ...known, openid: null };
}

/** Whom a payment serves: see `GatewayData`. */
export type Served = Required<Pick<GatewayData, "way" | "device" | "in_browser">>;

/** Whom a payment serves that an account makes for a buyer. The device stays open where the buyer may still become known. */
export function servedOf(account: GatewayAccount, buyer: BuyerAtAccount): Served {
  const { device, openid } = buyer;
  const way = account.wayOf?.(buyer) ?? null;
  const isUnknown = openid === null && account.buyerIdentity?.isWanted(device) === true;
  const isInApp = device !== "desktop" && device !== "phone";
  const inBrowser = account.wayOf?.({ ...buyer, device: "phone", openid: null }) ?? null;
  return { way, device: isUnknown ? null : device, in_browser: isInApp && inBrowser !== way };
}
