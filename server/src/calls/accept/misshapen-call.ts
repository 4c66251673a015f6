import type { Ctx, ErrorDetail, Tenant } from "#platform/index.ts";
import type { CallInput } from "../shapes.ts";
import { usualTestNumber } from "../simulator/numbers.ts";
import { checkCall, faultyCall } from "./check-call.ts";

const standIns = { from: usualTestNumber, to: "+15005552000", text: "-" };
/** The maximum number of reported errors: for fields beyond them it isn't known whether their shape is right. */
const faultsMax = 100;

/** The error that lists everything that is wrong with a request of an invalid shape, including rule errors of its other fields. */
export async function misshapenCall(ctx: Ctx, tenant: Tenant, given: { call: unknown; faults: readonly ErrorDetail[] }): Promise<Error> {
  return faultyCall([...given.faults, ...(await checkSoundFields(ctx, tenant, given))]);
}

async function checkSoundFields(
  ctx: Ctx,
  tenant: Tenant,
  { call, faults }: { call: unknown; faults: readonly ErrorDetail[] },
): Promise<ErrorDetail[]> {
  const faulty = new Set(faults.map(fieldOf));
  if (faulty.has("body") || faults.length >= faultsMax) return [];
  const alternatives = ["text", "audio_url", "actions", "answer_url"];
  // One of the four is present, although its shape is wrong, so none is reported as missing or conflicting.
  if (alternatives.some((name) => faulty.has(name))) for (const name of alternatives) faulty.add(name);
  const replaced = Object.entries(standIns).filter(([name]) => faulty.has(name));
  const sound = Object.entries(call as CallInput).filter(([name]) => !faulty.has(name));
  const checked = await checkCall(ctx, tenant, Object.fromEntries([...replaced, ...sound]) as unknown as CallInput);
  return checked.faults.filter((fault) => !faulty.has(fieldOf(fault)));
}

function fieldOf({ param }: ErrorDetail): string {
  return param.split(/[.[]/, 1)[0] ?? "";
}
