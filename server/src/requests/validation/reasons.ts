import type { ErrorObject } from "ajv";
import type { ErrorDetail } from "#platform/index.ts";

type Reason = Pick<ErrorDetail, "reason" | "values">;

/** Why a schema refuses a value, and its limit. A schema can name the reason of its errors (`x-reason`), such as that of a pattern. */
export function reasonOf({ keyword, params, parentSchema }: ErrorObject): Reason {
  if (keyword === "type") return { reason: "wrong_type", values: { expected: [params.type].flat().map(String) } };
  const own = (parentSchema as { "x-reason"?: string } | undefined)?.["x-reason"];
  if (own !== undefined) return { reason: own };
  const limit = Number(params.limit);
  switch (keyword) {
    case "propertyNames":
      return { reason: "key_not_allowed" };
    case "enum":
      return { reason: "not_in_list", values: { allowed: params.allowedValues as string[] } };
    case "const":
      return { reason: "not_in_list", values: { allowed: [params.allowedValue as string] } };
    case "minimum":
      return { reason: "too_small", values: { min: limit } };
    case "maximum":
      return { reason: "too_large", values: { max: limit } };
    case "minLength":
      return limit === 1 ? { reason: "empty" } : { reason: "too_short", values: { min: limit } };
    case "maxLength":
      return { reason: "too_long", values: { max: limit } };
    case "minItems":
    case "minProperties":
      return limit === 1 ? { reason: "empty" } : { reason: "too_few", values: { min: limit } };
    case "maxItems":
    case "maxProperties":
      return { reason: "too_many", values: { max: limit } };
    case "format":
      return formats[String(params.format)] ?? { reason: "not_allowed" };
    default:
      return { reason: "not_allowed" };
  }
}

const formats: Record<string, Reason> = {
  "date-time": { reason: "not_a_time" },
  email: { reason: "not_an_email" },
};
