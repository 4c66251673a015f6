/** WeChat Pay's response when it refuses. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const parameterError = (name: string) => new Refused(400, "PARAM_ERROR", `输入源“/body/${name}”映射到值字段校验失败`);

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

export function objectAt(body: Json, name: string): Json {
  const value = body[name];
  if (!isObject(value)) throw parameterError(name);
  return value;
}

/** A text of at most that many characters, none of which takes four bytes. */
export function textAt(body: Json, name: string, maxLength: number): string {
  const value = body[name];
  if (typeof value !== "string" || value === "" || value.length > maxLength || /[\uD800-\uDFFF]/.test(value)) throw parameterError(name);
  return value;
}

export function fenAt(body: Json, name: string): number {
  const value = body[name];
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) throw parameterError(name);
  return value;
}

/** Merchants' numbers: digits, letters, `_`, `-`, `|` and `*`. */
export function numberAt(body: Json, name: string, lengths: { min: number; max: number }): string {
  const value = textAt(body, name, lengths.max);
  if (value.length < lengths.min || !/^[0-9A-Za-z_\-|*]+$/.test(value)) throw parameterError(name);
  return value;
}

/** An address for notifications: absolute, without a query. */
export function notifyUrlAt(body: Json): string {
  const value = textAt(body, "notify_url", 255);
  const isTaken = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && !/[?#]/.test(value);
  if (!isTaken) throw parameterError("notify_url");
  return value;
}

/** Nulls are refused at any depth. */
export function refuseNulls(value: unknown): void {
  if (value === null) throw parameterError("null");
  if (typeof value === "object") for (const inside of Object.values(value)) refuseNulls(inside);
}

export function momentAt(body: Json, name: string): number {
  const value = textAt(body, name, 64);
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw parameterError(name);
  return at;
}

/** Milliseconds in WeChat Pay's time format, in Beijing. */
export function inBeijing(ms: number): string {
  const parts = new Date(ms + 28_800_000).toISOString();
  return `${parts.slice(0, parts.indexOf("."))}+08:00`;
}
