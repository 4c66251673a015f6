import type { GatewayBuyer as BuyerAtAccount, GatewayAccount } from "#gateways/index.ts";
import type { GatewayData } from "../../method-shapes.ts";

/** The buyer, as far as a provider needs to know. */
export interface GatewayBuyer extends BuyerAtAccount {
  /** The account that issued `openid`: it is useless for others. */
  identified_at?: string;
  /** The choices in the address of the page that the buyer uses, such as `?lang=zh`: they return to it with them. */
  page_query?: string;
}

/** The buyer's data that an account may see. */
export function buyerAt(buyer: GatewayBuyer | null, credentialId: string): BuyerAtAccount | null {
  if (buyer === null) return null;
  const { ip, locale, device, openid } = buyer;
  return { ip, locale, device, openid: buyer.identified_at === credentialId ? openid : null };
}

/** Whom a payment serves: see `GatewayData`. */
export type Served = Required<Pick<GatewayData, "way" | "device" | "in_browser">>;

/** The buyer that a new payment is specific to. The device stays undefined if the buyer may still be identified. */
export function servedOf(account: GatewayAccount, buyer: BuyerAtAccount): Served {
  const { device, openid } = buyer;
  const way = account.wayOf?.(buyer) ?? null;
  const isUnknown = openid === null && account.buyerIdentity?.isWanted(device) === true;
  const isInApp = device !== "desktop" && device !== "phone";
  const inBrowser = account.wayOf?.({ ...buyer, device: "phone", openid: null }) ?? null;
  return { way, device: isUnknown ? null : device, in_browser: isInApp && inBrowser !== way };
}
