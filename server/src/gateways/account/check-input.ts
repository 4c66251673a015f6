import { type Ctx, type ErrorDetail, gatherFaults, platformErrors, readCurrency, refuseCardNumbers } from "#platform/index.ts";
import { type CredentialFault, CredentialsInvalid } from "../gateway-error.ts";
import { takesCurrency } from "../payment-methods.ts";
import type { GatewayAdapter } from "../port.ts";
import type { Fields } from "../rows/secrets.ts";

/** The settings of an account other than its fields. */
export interface AccountChoices {
  label?: string | null;
  enabled?: boolean;
  position?: number;
  weight?: number;
  limits?: { min_minor?: number | null; max_minor?: number | null };
  currencies?: string[] | null;
}

/** Throws parameter_invalid and similar errors with every error of the settings, and of the fields if they are given. */
export async function checkInput(
  ctx: Ctx,
  adapter: GatewayAdapter,
  given: { choices: AccountChoices; fields: Fields | null; livemode: boolean },
): Promise<void> {
  const { choices, fields, livemode } = given;
  await gatherFaults([
    () => refuseCardNumbers({ label: choices.label }),
    () => checkCurrencies(adapter, choices.currencies ?? []),
    ...(fields === null ? [] : [() => refuseFields(adapter, fields, { livemode }), () => checkAddress(ctx, adapter, { fields, livemode })]),
  ]);
}

/** Throws parameter_conflict for limits that exclude every amount. */
export function checkLimits({ min_minor, max_minor }: { min_minor: number | null; max_minor: number | null }): void {
  if (min_minor === null || max_minor === null || min_minor <= max_minor) return;
  throw platformErrors.parameter_conflict({
    param: "limits.max_minor",
    reason: "limits_crossed",
    message: "limits.max_minor is below limits.min_minor.",
  });
}

function checkCurrencies({ manifest }: GatewayAdapter, currencies: readonly string[]): void {
  const { currencies: taken } = manifest.method;
  for (const currency of currencies) {
    const code = readCurrency(currency);
    if (code === null)
      throw platformErrors.parameter_invalid({
        param: "currencies",
        reason: "not_a_currency",
        message: `${currency} isn't an ISO 4217 currency code.`,
      });
    if (takesCurrency(manifest.method, code) || taken === "any") continue;
    throw platformErrors.unsupported_currency({
      param: "currencies",
      reason: "currency_not_taken",
      values: { allowed: taken },
      message: `This gateway only accepts ${taken.join(", ")}.`,
    });
  }
}

/** Throws every error of the fields: those of their form, and those that the adapter finds. */
export function refuseFields(adapter: GatewayAdapter, fields: Fields, { livemode }: { livemode: boolean }): void {
  const known = new Map(adapter.manifest.fields.map((field) => [field.name, field]));
  const details = Object.entries(fields).flatMap(([name, value]): FieldFault[] => {
    const field = known.get(name);
    const param = `fields.${name}`;
    if (field === undefined)
      return [{ param, code: "parameter_unknown", message: `This gateway has no field ${JSON.stringify(name)}.`, reason: "unknown_field" }];
    if (!hasControls(value, field.multiline)) return [];
    return [
      { param, code: "parameter_invalid", message: `${param} contains characters that aren't allowed.`, reason: "forbidden_characters" },
    ];
  });
  const faults = details.length > 0 ? details : faultsOf(() => adapter.open(fields, { livemode })).map(detailOf);
  const [first] = faults;
  if (first === undefined) return;
  const { code, ...extras } = first;
  throw refusals[code]({ ...extras, details: faults });
}

function faultsOf(open: () => unknown): readonly CredentialFault[] {
  try {
    open();
    return [];
  } catch (error) {
    if (error instanceof CredentialsInvalid) return error.faults;
    throw error;
  }
}

const refusals = {
  parameter_missing: platformErrors.parameter_missing,
  parameter_unknown: platformErrors.parameter_unknown,
  parameter_invalid: platformErrors.parameter_invalid,
};

type FieldFault = ErrorDetail & { code: keyof typeof refusals };

function detailOf({ field, reason, message }: CredentialFault): FieldFault {
  const param = `fields.${field}`;
  if (reason === "required") return { param, code: "parameter_missing", message, reason: "required" };
  return {
    param,
    code: "parameter_invalid",
    message,
    reason: reason === "wrong_environment" ? "wrong_environment" : reason === "not_a_pair" ? "not_a_pair" : "malformed",
  };
}

/**
 * The address of the merchant's own server comes from the merchant, so the egress guard checks it, except in TEST where the operator set
 * another one for all accounts (`GATEWAY_URLS`): then it isn't contacted.
 */
async function checkAddress(ctx: Ctx, { manifest }: GatewayAdapter, given: { fields: Fields; livemode: boolean }): Promise<void> {
  const { fields, livemode } = given;
  const { base_url } = fields;
  const isReplaced = !livemode && ctx.gateways.hostOf(manifest.method.gateway, livemode) !== null;
  if (manifest.hosts === null && base_url !== undefined && !isReplaced) await ctx.egress.check(base_url, "fields.base_url");
}

function hasControls(value: string, isMultiline: boolean): boolean {
  const text = isMultiline ? value.replace(/[\t\r\n]/g, "") : value;
  return /\p{Cc}/u.test(text) || !text.isWellFormed();
}
