import type { SendingTier } from "#messaging/index.ts";
import type { Ctx, ErrorDetail, Tenant } from "#platform/index.ts";
import type { EmailInput } from "../shapes.ts";
import { simulatorDomain } from "../simulator/simulator.ts";
import { checkEmail, faultyEmail } from "./check-email.ts";

/** A request with an invalid shape, and where it is invalid. */
export interface MisshapenEmail {
  tier: SendingTier;
  email: unknown;
  faults: readonly ErrorDetail[];
}

const somebody = `someone@${simulatorDomain}`;
const standIns = { from: somebody, to: somebody, subject: "-", text: "-" };
/** The maximum number of reported errors: for fields beyond them it isn't known whether their shape is right. */
const faultsMax = 100;

/** Rule errors of the fields with a valid shape, so that they aren't only reported once the others are fixed. */
export async function checkSoundFields(ctx: Ctx, tenant: Tenant, { tier, email, faults }: MisshapenEmail): Promise<ErrorDetail[]> {
  const faulty = new Set(faults.map(fieldOf));
  if (faulty.has("body") || faults.length >= faultsMax) return [];
  if (faulty.has("html")) faulty.add("text");
  const replaced = Object.entries(standIns).filter(([name]) => faulty.has(name));
  const sound = Object.entries(email as EmailInput).filter(([name]) => !faulty.has(name));
  const checked = await checkEmail(ctx, tenant, { tier, email: Object.fromEntries([...replaced, ...sound]) as unknown as EmailInput });
  return checked.faults.filter((fault) => !faulty.has(fieldOf(fault)));
}

/** The error that lists everything that is wrong with such a request. */
export async function misshapenEmail(ctx: Ctx, tenant: Tenant, given: MisshapenEmail): Promise<Error> {
  return faultyEmail([...given.faults, ...(await checkSoundFields(ctx, tenant, given))]);
}

function fieldOf({ param }: ErrorDetail): string {
  return param.split(/[.[]/, 1)[0] ?? "";
}
