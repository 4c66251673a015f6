import type { Ctx } from "#platform/index.ts";
import { findAccount } from "../account/find-account.ts";
import type { ProfileRow } from "../profile/sql.ts";
import { amountRange } from "./choose-amount.ts";
import { countTakenAmounts, listHeldPrices } from "./sql.ts";

/** A price with few remaining amounts that could distinguish its payments. */
export interface CrowdedPrice {
  amount_minor: number;
  amounts_in_use: number;
  amounts_total: number;
}

const warnsFrom = 0.7;

/** The prices of a profile with at least 70 % of their possible amounts in use, the fullest first. */
export async function listCrowdedPrices(ctx: Pick<Ctx, "db" | "now">, profile: ProfileRow): Promise<CrowdedPrice[]> {
  const { matching, limits } = profile;
  if (matching.mode !== "unique_amount") return [];
  const account = await findAccount(ctx.db, profile, { channel: profile.channel });
  const prices = await listHeldPrices(ctx.db, profile, { account });
  const ranges = prices.flatMap((nominal_minor) => {
    const range = amountRange({ nominal_minor, max_offset_minor: matching.max_offset_minor, min_minor: limits.min_minor });
    return range === null ? [] : [{ nominal: nominal_minor, ...range }];
  });
  const taken = new Map((await countTakenAmounts(ctx.db, account, { ranges })).map(({ nominal, taken }) => [nominal, taken]));
  return ranges
    .map(({ nominal, low, high }) => ({ amount_minor: nominal, amounts_in_use: taken.get(nominal) ?? 0, amounts_total: high - low + 1 }))
    .filter((price) => usedOf(price) >= warnsFrom)
    .sort((one, other) => usedOf(other) - usedOf(one) || one.amount_minor - other.amount_minor);
}

function usedOf(price: CrowdedPrice): number {
  return price.amounts_in_use / price.amounts_total;
}
