import { recordAudit } from "#audit/index.ts";
import { atNow, type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { type CheckedNumber, checkNumber, type NumberInput } from "./check-number.ts";
import { insertNumber, lockNumberByValue, lockNumberCount, type NumberRow, updateNumber } from "./sql.ts";
import { numberStates } from "./states.ts";
import { type Decision, tenantOf, writeDecision } from "./write-decision.ts";

const maxNumbers = 100;
/** In TEST, this number simulates one that belongs to another project, as it does for messages. */
const foreignTestNumber = "+15005550007";

/**
 * Requests a number or name. An operator decides in LIVE; in TEST it is approved immediately, or rejected if it is the number that
 * simulates this. A rejected one may be requested again. Throws parameter_invalid, limit_reached.
 */
export async function requestNumber(ctx: Ctx, tenant: Tenant, input: NumberInput): Promise<NumberRow> {
  const checked = await checkNumber(input, { strict: tenant.livemode });
  return ctx.transact(async (tx) => {
    const row = await writeRequest(tx, ctx, { tenant: tenantOf(tenant), checked, purpose: input.purpose ?? null });
    const { id, value, channels, countries } = row;
    const detail = { value, channels, countries };
    await recordAudit(tx, { ctx, tenant: tenantOf(row), action: "number.requested", object_type: "number", object_id: id, detail });
    return row.livemode ? row : writeDecision(tx, ctx, { before: row, decision: decisionInTest(row) });
  });
}

interface Request {
  tenant: Tenant;
  checked: CheckedNumber;
  purpose: string | null;
}

/**
 * Returns the row as `requested`, and locked. Throws parameter_invalid for a number that the project has or has requested, and
 * limit_reached.
 */
export async function writeRequest(tx: Tx, ctx: Ctx, { tenant, checked, purpose }: Request): Promise<NumberRow> {
  const count = await lockNumberCount(tx, tenant);
  const before = await lockNumberByValue(tx, tenant, checked.value);
  const requested = { ...checked, status: "requested" as const, purpose, rejection_reason: null, decided_at: null };
  if (before !== null) {
    if (before.status !== "rejected") throw isThere(before);
    numberStates.check([before.status], requested.status);
    return updateNumber(tx, { ...before, ...requested });
  }
  if (count >= maxNumbers)
    throw platformErrors.limit_reached({ message: `A project can have up to ${maxNumbers} numbers and names in each environment.` });
  const now = (await atNow(ctx, tx)).now();
  return insertNumber(tx, { ...tenant, ...requested, id: ctx.id("num"), version: 1, created_at: now, updated_at: now });
}

function isThere({ id }: NumberRow): Error {
  const message = "This project already has or requested this number.";
  return platformErrors.parameter_invalid({ param: "value", reason: "number_exists", message, fields: { existing_number_id: id } });
}

function decisionInTest({ value, channels, countries }: NumberRow): Decision {
  if (value === foreignTestNumber) return { status: "rejected", reason: "This number belongs to someone else (simulated)." };
  return { status: "approved", channels, countries };
}
