import type { ErrorObject } from "ajv";
import { AppError, type ErrorDetail, platformErrors } from "#platform/index.ts";

const detailsMax = 100;

export interface ValidationFault extends Error {
  validation: ErrorObject[];
  validationContext?: string;
}

export function isValidationFault(thrown: unknown): thrown is ValidationFault {
  return thrown instanceof Error && Array.isArray((thrown as Partial<ValidationFault>).validation);
}

/** All faults of a request in one error; the first one gives its code. */
export function faultsOf(thrown: ValidationFault): AppError {
  const errors = withoutBranches(thrown.validation);
  const details: ErrorDetail[] = [];
  const seen = new Set<string>();
  for (const error of errors) {
    const detail = detailOf(error, thrown.validationContext);
    if (seen.has(`${detail.param} ${detail.code}`)) continue;
    seen.add(`${detail.param} ${detail.code}`);
    if (details.push(detail) === detailsMax) break;
  }
  const [first] = details;
  if (first === undefined) return platformErrors.parameter_invalid();
  return new AppError(first.code, 400, first.message, { param: first.param, message: first.message, details });
}

/** Of a value that fits no branch of a union, and of a key that is not allowed, one sentence is enough. */
function withoutBranches(errors: ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === "anyOf" || error.keyword === "oneOf").map((error) => `${error.schemaPath}/`);
  return errors.filter((error) => error.keyword !== "if" && error.propertyName === undefined && !unions.some((path) => error.schemaPath.startsWith(path)));
}

function detailOf(error: ErrorObject, context: string | undefined): ErrorDetail {
  const path = pathOf(error.instancePath);
  // In an address a repeated parameter has no places: `status`, not `status.0`.
  const at = context === "querystring" ? path.replace(/\.\d+$/, "") : path;
  const join = (name: string) => (at === "" ? name : `${at}.${name}`);
  if (error.keyword === "required") {
    const param = join(String(error.params.missingProperty));
    return { param, code: "parameter_missing", message: `${param} is required.` };
  }
  if (error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties") {
    const param = join(String(error.params.additionalProperty ?? error.params.unevaluatedProperty));
    return { param, code: "parameter_unknown", message: `${param} is not a parameter of this endpoint.` };
  }
  const param = error.keyword === "propertyNames" ? join(String(error.params.propertyName)) : at === "" ? (context ?? "body") : at;
  return { param, code: codeOf(error), message: `${param} ${sentenceOf(error)}.` };
}

/** A schema may name the code of its faults (`x-fault`); a value of another type is always parameter_invalid. */
function codeOf(error: ErrorObject): string {
  const named = (error.parentSchema as { "x-fault"?: string } | undefined)?.["x-fault"];
  if (named === undefined) return "parameter_invalid";
  if (error.keyword === "type" && typeof error.data !== "number") return "parameter_invalid";
  return named;
}

function pathOf(pointer: string): string {
  if (pointer === "") return "";
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".")
    .slice(0, 200);
}

function sentenceOf(error: ErrorObject): string {
  const own = (error.parentSchema as { "x-sentence"?: string } | undefined)?.["x-sentence"];
  if (own !== undefined) return own;
  const { params } = error;
  switch (error.keyword) {
    case "propertyNames":
      return "is not an allowed key";
    case "enum":
      return `must be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "const":
      return `must be ${String(params.allowedValue)}`;
    case "type":
      return `must be ${[params.type].flat().map(kindOf).join(" or ")}`;
    case "minimum":
      return `must be at least ${params.limit}`;
    case "maximum":
      return `must be at most ${params.limit}`;
    case "minLength":
      return `must have at least ${params.limit} characters`;
    case "maxLength":
      return `must have at most ${params.limit} characters`;
    case "minItems":
      return `must have at least ${params.limit} entries`;
    case "maxItems":
      return `must have at most ${params.limit} entries`;
    case "maxProperties":
      return `must have at most ${params.limit} keys`;
    case "minProperties":
      return `must have at least ${params.limit} keys`;
    case "format":
      if (params.format === "date-time") return "must be a time in ISO 8601 with its zone, such as 2026-12-01T09:00:00Z";
      return `must be a valid ${params.format}`;
    default:
      return "has a value that is not allowed";
  }
}

function kindOf(type: unknown): string {
  const kinds: Record<string, string> = {
    integer: "a whole number",
    number: "a number",
    string: "a string",
    boolean: "true or false",
    object: "an object",
    array: "a list",
  };
  return kinds[String(type)] ?? String(type);
}
