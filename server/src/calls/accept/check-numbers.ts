import { type Add, listDestinations, readRecipient, readTelephone, type Telephone } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { CallInput } from "../shapes.ts";

/** Who calls, and who is called. */
export interface CheckedNumbers {
  from: string;
  to: Telephone;
}

const nobody: Telephone = { number: "", country: "ZZ" };

/** Reads the numbers of a request; `add` is told every fault. In LIVE a way out, a country that may be called and a number that was approved are asked for. */
export async function checkNumbers(ctx: Ctx, tenant: Tenant, { input, add }: { input: CallInput; add: Add }): Promise<CheckedNumbers> {
  const to = readRecipient(input.to, { strict: tenant.livemode, add });
  const from = readTelephone(input.from, { strict: false });
  if (typeof from === "string")
    add("from", "parameter_invalid", {
      reason: "not_a_telephone_number",
      message: "A call comes from a telephone number in international form, such as +15550100.",
    });
  const numbers = { from: typeof from === "string" ? "" : from.number, to: to ?? nobody };
  if (tenant.livemode && to !== null && typeof from !== "string") await checkLive(ctx, tenant, { ...numbers, add });
  return numbers;
}

/** Without any way out nothing else matters. */
async function checkLive(ctx: Ctx, tenant: Tenant, { from, to: { country }, add }: CheckedNumbers & { add: Add }): Promise<void> {
  const { hasRoute, mayUse } = ctx.calls;
  if (!hasRoute(country)) {
    add("to", "no_route", { reason: "no_route", values: { value: country }, message: `Nothing is set up that carries calls to ${country}.` });
    return;
  }
  if (!(await listDestinations(ctx, tenant)).has(country))
    add("to", "country_not_allowed", {
      reason: "country_not_allowed",
      values: { value: country },
      message: `This project may not call ${country}: calls go to the merchant's own country.`,
    });
  if (!(await mayUse(ctx.db, tenant, { number: from, country })))
    add("from", "sender_not_allowed", {
      reason: "sender_not_allowed",
      values: { value: from },
      message: `${from} is not among the numbers that this project may call from.`,
    });
}
