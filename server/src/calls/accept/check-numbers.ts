import { type Admitted, checkDestination, findGuard, type Guard, simulateGuards } from "#guards/index.ts";
import { type Add, readRecipient, readTelephone, type Telephone } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { CallInput } from "../shapes.ts";
import { usualTestNumber } from "../simulator/numbers.ts";

/** The caller and the callee. */
export interface CheckedNumbers {
  from: string;
  to: Telephone;
  /** The project's guards, and what the call counts against; null in TEST, and for refused calls. */
  guard: Guard;
  admitted: Admitted | null;
}

const unknownNumber: Telephone = { number: "", country: "ZZ" };

/** Reads the numbers of a request; `add` gets every error. LIVE requires a transport, an allowed country and an approved number. */
export async function checkNumbers(ctx: Ctx, tenant: Tenant, { input, add }: { input: CallInput; add: Add }): Promise<CheckedNumbers> {
  const guard = await findGuard(ctx, tenant);
  const to = readRecipient(input.to, { strict: tenant.livemode, opened: guard?.policy.opened_prefixes ?? [], add });
  const given = readCaller(input, add);
  if (guard === null) simulateGuards(input.to, add);
  const numbers = { from: given ?? usualTestNumber, to: to ?? unknownNumber, guard, admitted: null };
  if (guard === null || to === null || given === "") return numbers;
  return { ...numbers, ...(await checkLive(ctx, tenant, { given, to, guard, add })) };
}

/** null for the usual number; empty if the request's is invalid. */
function readCaller({ from }: CallInput, add: Add): string | null {
  if (from === null) return null;
  const read = readTelephone(from, { strict: false });
  if (typeof read !== "string") return read.number;
  add("from", "parameter_invalid", {
    reason: "not_a_telephone_number",
    message: "Calls need a phone number in international form as from, such as +15550100.",
  });
  return "";
}

interface Live {
  given: string | null;
  to: Telephone;
  guard: NonNullable<Guard>;
  add: Add;
}

/** Without a route nothing else matters. */
async function checkLive(
  ctx: Ctx,
  tenant: Tenant,
  { given, to, guard, add }: Live,
): Promise<Pick<CheckedNumbers, "from" | "admitted"> | null> {
  const { hasRoute, mayUse, findUsual } = ctx.calls;
  const { country } = to;
  if (!hasRoute({ to: to.number, country })) {
    add("to", "no_route", { reason: "no_route", values: { value: country }, message: `No route is set up for calls to ${country}.` });
    return null;
  }
  const admitted = await checkDestination(ctx, guard, { channel: "call", to, add });
  const from = given ?? (await findUsual(ctx.db, tenant, country));
  if (from === null) {
    add("from", "sender_not_allowed", {
      reason: "no_call_number",
      values: { value: country },
      message: `This project has no approved number for calls to ${country}. Request one with POST /v1/numbers.`,
    });
    return null;
  }
  if (given !== null && !(await mayUse(ctx.db, tenant, { number: given, country })))
    add("from", "sender_not_allowed", {
      reason: "sender_not_allowed",
      values: { value: given },
      message: `${given} isn't approved for calls from this project.`,
    });
  return { from, admitted };
}
