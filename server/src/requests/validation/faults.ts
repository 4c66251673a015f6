import type { ErrorObject } from "ajv";
import { AppError, counted, type ErrorDetail, platformErrors } from "#platform/index.ts";
import { findNear } from "./find-near.ts";
import { joinParam, paramPath } from "./param-path.ts";
import { reasonOf } from "./reasons.ts";

const detailsMax = 100;

export interface ValidationFault extends Error {
  validation: ErrorObject[];
  validationContext?: string;
}

export function isValidationFault(thrown: unknown): thrown is ValidationFault {
  return thrown instanceof Error && Array.isArray((thrown as Partial<ValidationFault>).validation);
}

/**
 * All errors of a request as one; the first one determines its code. `value` is the validated value, to distinguish list items from members
 * named with digits.
 */
export function faultsOf(thrown: ValidationFault, value: unknown): AppError {
  const errors = withoutRest(withoutBranches(thrown.validation));
  const details: ErrorDetail[] = [];
  const seen = new Set<string>();
  for (const error of errors) {
    const detail = detailOf(error, { context: thrown.validationContext, value });
    if (seen.has(`${detail.param} ${detail.code}`)) continue;
    seen.add(`${detail.param} ${detail.code}`);
    if (details.push(detail) === detailsMax) break;
  }
  const [first] = details;
  if (first === undefined) return platformErrors.parameter_invalid();
  return new AppError(first.code, 400, first.message, { param: first.param, message: first.message, details });
}

/** For a value that fits no branch of a union, and for a key that isn't allowed, one message is enough. */
function withoutBranches(errors: ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === "anyOf" || error.keyword === "oneOf").map((error) => `${error.schemaPath}/`);
  return errors.filter(
    (error) => error.keyword !== "if" && error.propertyName === undefined && !unions.some((path) => error.schemaPath.startsWith(path)),
  );
}

/** For a value of the wrong type, no other message is needed. */
function withoutRest(errors: ErrorObject[]): ErrorObject[] {
  const wrong = new Set(errors.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath));
  return errors.filter(({ keyword, instancePath }) => keyword === "type" || !wrong.has(instancePath));
}

interface Validated {
  context: string | undefined;
  value: unknown;
}

function detailOf(error: ErrorObject, { context, value }: Validated): ErrorDetail {
  const path = paramPath(value, segmentsOf(error.instancePath));
  // In a query, repeated parameters have no positions: `status`, not `status[0]`.
  const at = context === "querystring" ? path.replace(/\[\d+\]$/, "") : path;
  if (error.keyword === "required") {
    const param = joinParam(at, String(error.params.missingProperty));
    return { param, code: "parameter_missing", reason: "required", message: `${param} is required.` };
  }
  if (error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties") {
    const name = String(error.params.additionalProperty ?? error.params.unevaluatedProperty).slice(0, 200);
    const param = joinParam(at, name);
    const known = knownNames(error, context);
    const meant = findNear(name, known);
    const message = `${param} isn't a parameter of this endpoint.${meant === null ? "" : ` Did you mean ${meant}?`}`;
    return { param, code: "parameter_unknown", reason: "unknown_field", ...(meant === null ? {} : { values: { meant } }), message };
  }
  const param =
    error.keyword === "propertyNames"
      ? joinParam(at, String(error.params.propertyName).slice(0, 200))
      : at === ""
        ? (context ?? "body")
        : at;
  if (context === "querystring" && Array.isArray(error.data))
    return { param, code: "parameter_invalid", reason: "repeated", message: `${param} can only be sent once.` };
  return {
    param,
    code: codeOf(error),
    ...reasonOf(error),
    message: `${param} ${sentenceOf(error)}${context === "querystring" ? "" : givenInstead(error)}.`,
  };
}

/** The allowed names of the invalid object's keys. */
function knownNames({ parentSchema }: ErrorObject, context: string | undefined): string[] {
  const names = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
  return context === "querystring" ? names.filter((name) => !name.endsWith("[]")) : names;
}

/** A schema can name the code of its errors (`x-fault`); a value of another type is always parameter_invalid. */
function codeOf(error: ErrorObject): string {
  const named = (error.parentSchema as { "x-fault"?: string } | undefined)?.["x-fault"];
  if (named === undefined) return "parameter_invalid";
  return error.keyword === "type" ? "parameter_invalid" : named;
}

function segmentsOf(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function sentenceOf(error: ErrorObject): string {
  const own = (error.parentSchema as { "x-sentence"?: string } | undefined)?.["x-sentence"];
  const { params } = error;
  if (own !== undefined) return own;
  switch (error.keyword) {
    case "type":
      return `must be ${[params.type].flat().map(kindOf).join(" or ")}`;
    case "propertyNames":
      return `isn't an allowed key${keyLength(error)}`;
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "const":
      return `must be ${String(params.allowedValue)}`;
    case "minimum":
      return `must be at least ${params.limit}`;
    case "maximum":
      return `must be at most ${params.limit}`;
    case "minLength":
      return params.limit === 1 ? "can't be empty" : `must have at least ${counted(params.limit, "character")}`;
    case "maxLength":
      return `must have at most ${counted(params.limit, "character")}`;
    case "minItems":
      return params.limit === 1 ? "can't be empty" : `must have at least ${counted(params.limit, "entry", "entries")}`;
    case "maxItems":
      return `must have at most ${counted(params.limit, "entry", "entries")}`;
    case "maxProperties":
      return `must have at most ${counted(params.limit, "key")}`;
    case "minProperties":
      return params.limit === 1 ? "can't be empty" : `must have at least ${counted(params.limit, "key")}`;
    case "format":
      if (params.format === "date-time") return "must be an ISO 8601 time with a time zone, such as 2026-12-01T09:00:00Z";
      return params.format === "email" ? "must be an email address" : `must be a valid ${params.format}`;
    default:
      return "has a value that isn't allowed";
  }
}

/** The maximum length of a key of the invalid object, if its schema has one. */
function keyLength({ parentSchema }: ErrorObject): string {
  const { minLength = 0, maxLength } =
    (parentSchema as { propertyNames?: { minLength?: number; maxLength?: number } } | undefined)?.propertyNames ?? {};
  return maxLength === undefined ? "" : `: keys have ${minLength} to ${maxLength} characters`;
}

/** The type that was sent instead; for a number out of range there is nothing to add. */
function givenInstead({ keyword, data }: ErrorObject): string {
  if (keyword !== "type" || data === Number.POSITIVE_INFINITY || data === Number.NEGATIVE_INFINITY) return "";
  if (typeof data === "number") return Number.isInteger(data) ? ", not a number" : ", not a fraction";
  return `, not ${data === null ? "null" : kindOf(Array.isArray(data) ? "array" : typeof data)}`;
}

function kindOf(type: unknown): string {
  const kinds: Record<string, string> = {
    integer: "a whole number",
    number: "a number",
    string: "a string",
    boolean: "true or false",
    object: "an object",
    array: "a list",
    null: "null",
  };
  return kinds[String(type)] ?? String(type);
}
