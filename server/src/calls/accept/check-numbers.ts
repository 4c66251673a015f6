import { type Admitted, checkDestination, findGuard, type Guard, simulateGuards } from "#guards/index.ts";
import { type Add, readRecipient, readTelephone, type Telephone } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { CallInput } from "../shapes.ts";

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
  const from = readTelephone(input.from, { strict: false });
  if (typeof from === "string")
    add("from", "parameter_invalid", {
      reason: "not_a_telephone_number",
      message: "Calls need a phone number in international form as from, such as +15550100.",
    });
  const numbers = { from: typeof from === "string" ? "" : from.number, to: to ?? unknownNumber };
  if (guard === null) simulateGuards(input.to, add);
  const isRead = to !== null && typeof from !== "string";
  return { ...numbers, guard, admitted: guard !== null && isRead ? await checkLive(ctx, tenant, { ...numbers, guard, add }) : null };
}

interface Live extends Pick<CheckedNumbers, "from" | "to"> {
  guard: NonNullable<Guard>;
  add: Add;
}

/** Without a route nothing else matters. */
async function checkLive(ctx: Ctx, tenant: Tenant, { from, to, guard, add }: Live): Promise<Admitted | null> {
  const { hasRoute, mayUse } = ctx.calls;
  const { country } = to;
  if (!hasRoute({ to: to.number, country })) {
    add("to", "no_route", { reason: "no_route", values: { value: country }, message: `No route is set up for calls to ${country}.` });
    return null;
  }
  const admitted = await checkDestination(ctx, guard, { channel: "call", to, add });
  if (!(await mayUse(ctx.db, tenant, { number: from, country })))
    add("from", "sender_not_allowed", {
      reason: "sender_not_allowed",
      values: { value: from },
      message: `${from} isn't approved for calls from this project.`,
    });
  return admitted;
}
