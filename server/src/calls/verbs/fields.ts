import type { Add } from "#messaging/index.ts";
import { isStorable, storable } from "#platform/index.ts";

interface Bounds {
  min: number;
  max: number;
  whole?: boolean;
}

const forbidden = "must not contain NUL characters or unpaired surrogates.";

/** The fields of an untrusted object. Errors are recorded, and a harmless value is returned instead. */
export class Fields {
  readonly param: string;
  readonly #values: Record<string, unknown>;
  readonly #add: Add;

  constructor(given: unknown, { param, add }: { param: string; add: Add }) {
    this.param = param;
    this.#add = add;
    this.#values = typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Record<string, unknown>) : {};
  }

  raw(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  /** Records every unknown field. */
  refuseOthers(known: readonly string[]): void {
    for (const name of Object.keys(this.#values))
      if (!known.includes(name)) {
        const field = storable(name.slice(0, 80));
        this.#fault(field, "parameter_unknown", { reason: "unknown_field", message: `The field ${field} doesn't exist here.` });
      }
  }

  /** Records that a field is required, unless it was present and refused for another reason. */
  missing(name: string): string {
    const given = this.raw(name);
    if (given == null || given === "") this.#fault(name, "parameter_missing", { reason: "required", message: `${name} is required.` });
    return "";
  }

  /** A non-empty text, or null. */
  text(name: string, { max }: { max: number }): string | null {
    const given = this.raw(name);
    if (given == null || given === "") return null;
    if (typeof given !== "string")
      return this.#fault(name, "parameter_invalid", { reason: "wrong_type", message: `${name} must be a string.` });
    if (!isStorable(given))
      return this.#fault(name, "parameter_invalid", { reason: "forbidden_characters", message: `${name} ${forbidden}` });
    if (given.length > max * 2 || [...given].length > max)
      return this.#fault(name, "parameter_invalid", {
        reason: "too_long",
        values: { max },
        message: `${name} can have up to ${max} characters.`,
      });
    return given;
  }

  /** A short text that matches a pattern, or null if there isn't one. */
  pattern(name: string, { pattern, ...why }: { pattern: RegExp; reason: string; message: string }): string | null {
    const given = this.raw(name);
    if (given == null) return null;
    if (typeof given !== "string" || given.length > 256 || !pattern.test(given)) return this.#fault(name, "parameter_invalid", why);
    return given;
  }

  number(name: string, { usual, ...bounds }: Bounds & { usual: number }): number {
    return this.optionalNumber(name, bounds) ?? usual;
  }

  optionalNumber(name: string, { min, max, whole = false }: Bounds): number | null {
    const given = this.raw(name);
    if (given == null) return null;
    if (typeof given === "number" && given >= min && given <= max && (!whole || Number.isInteger(given))) return given;
    const kind = whole ? "a whole number" : "a number";
    return this.#fault(name, "parameter_invalid", {
      reason: "out_of_range",
      values: { min, max },
      message: `${name} must be ${kind} from ${min} to ${max}.`,
    });
  }

  #fault(name: string, code: string, why: Parameters<Add>[2]): null {
    this.#add(`${this.param === "" ? "" : `${this.param}.`}${name}`, code, why);
    return null;
  }
}
