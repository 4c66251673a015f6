import { expect, test } from "vitest";
import type { GatewayBuyer as BuyerAtAccount, BuyerIdentity, GatewayAccount } from "#gateways/index.ts";
import { buyerAt, type GatewayBuyer, servedOf } from "./buyer.ts";

const buyer: GatewayBuyer = { ip: "203.0.113.9", locale: "en", device: "harbour", openid: "o1", identified_at: "gc_1" };

test.each<[string, GatewayBuyer, string, string | null]>([
  ["the account that told it", buyer, "gc_1", "o1"],
  ["another account", buyer, "gc_2", null],
  ["any account, where nobody says who told it", { ...buyer, identified_at: "" }, "gc_1", null],
])("a buyer's id is passed to %s: %s", (_what, known, account, openid) => {
  const passed = buyerAt(known, account);
  expect(passed).toEqual({ ip: "203.0.113.9", locale: "en", device: "harbour", openid });
});

test("an anonymous buyer has no id at any account", () => {
  expect(buyerAt(null, "gc_1")).toBeNull();
});

const identity: BuyerIdentity = { isWanted: (device) => device === "harbour", addressOf: () => "", read: async () => "" };
const wayOf = ({ device, openid }: BuyerAtAccount) => (device === "phone" ? "page" : openid === null ? "code" : "inside");
const accountOf = (more: Partial<GatewayAccount>) => more as GatewayAccount;
const at = (device: string, openid: string | null = null): BuyerAtAccount => ({ ip: null, locale: "en", device, openid });

test.each([
  [
    "an app whose account knows the buyer",
    { wayOf, buyerIdentity: identity },
    at("harbour", "o1"),
    { way: "inside", device: "harbour", in_browser: true },
  ],
  [
    "an app whose account may still learn of the buyer",
    { wayOf, buyerIdentity: identity },
    at("harbour"),
    { way: "code", device: null, in_browser: true },
  ],
  ["another app", { wayOf, buyerIdentity: identity }, at("pier"), { way: "code", device: "pier", in_browser: true }],
  ["an app where the browser has no other way", { wayOf: () => "code" }, at("pier"), { way: "code", device: "pier", in_browser: false }],
  ["a phone", { wayOf, buyerIdentity: identity }, at("phone"), { way: "page", device: "phone", in_browser: false }],
  ["a desktop", { wayOf, buyerIdentity: identity }, at("desktop"), { way: "code", device: "desktop", in_browser: false }],
  ["an account whose payments serve everybody", {}, at("pier"), { way: null, device: "pier", in_browser: false }],
])("what is recorded of a payment for %s", (_what, account, who, served) => {
  expect(servedOf(accountOf(account), who)).toEqual(served);
});
