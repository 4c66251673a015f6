import { parse as parseArray } from "postgres-array";

/** JSON text to bind as jsonb. */
export class Json {
  readonly text: string;

  constructor(value: unknown) {
    this.text = JSON.stringify(value) ?? "null";
  }
}

/**
 * A value in PostgreSQL's text form, with a type if the text is ambiguous by itself: `$1 - interval '1 day'` would read a timestamp without
 * a type as an interval. Throws for `undefined`, which is always a mistake.
 */
export function encodeValue(value: unknown): { text: string | Buffer | null; cast: string } {
  if (value === undefined) throw new TypeError("a statement was given undefined: bind null, or leave the condition out");
  if (value === null) return { text: null, cast: "" };
  if (value instanceof Json) return { text: value.text, cast: "::jsonb" };
  if (value instanceof Date) return { text: value.toISOString(), cast: "::timestamptz" };
  if (value instanceof Uint8Array) return { text: Buffer.from(value.buffer, value.byteOffset, value.byteLength), cast: "::bytea" };
  if (typeof value === "boolean") return { text: String(value), cast: "::boolean" };
  if (Array.isArray(value)) return { text: arrayText(value), cast: "" };
  return { text: typeof value === "object" ? JSON.stringify(value) : String(value), cast: "" };
}

/** An array in PostgreSQL's text form: `{"a","b",NULL}`. */
function arrayText(values: readonly unknown[]): string {
  return `{${values.map(elementText).join(",")}}`;
}

function elementText(value: unknown): string {
  if (value === null) return "NULL";
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString("hex")}"`;
  const text = encodeValue(value).text as string;
  return typeof value === "number" ? text : `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

type Parser = (text: string) => unknown;

const json: Parser = (text) => JSON.parse(text) as unknown;
const instant: Parser = (text) => new Date(text);
const bytes: Parser = (text) => Buffer.from(text.slice(2), "hex");

const scalars: readonly [oid: number, arrayOid: number, parser: Parser][] = [
  [16, 1000, (text) => text === "t"],
  [17, 1001, bytes],
  [20, 1016, readInteger],
  [21, 1005, Number],
  [23, 1007, Number],
  [19, 1003, (text) => text],
  [25, 1009, (text) => text],
  [26, 1028, Number],
  [114, 199, json],
  [700, 1021, Number],
  [701, 1022, Number],
  [869, 1041, (text) => text],
  [1042, 1014, (text) => text],
  [1043, 1015, (text) => text],
  [1082, 1182, instant],
  [1114, 1115, instant],
  [1184, 1185, instant],
  [1700, 1231, (text) => text],
  [2950, 2951, (text) => text],
  [3802, 3807, json],
];

const parsers = new Map<number, Parser>(
  scalars.flatMap(([oid, arrayOid, parser]): [number, Parser][] => [
    [oid, parser],
    [arrayOid, (text) => parseArray(text, parser)],
  ]),
);

/**
 * How a result's text becomes a value: bigint a safe integer or an error, timestamps a `Date`, json parsed, bytea a `Buffer`; other types
 * stay text.
 */
export const valueTypes = { getTypeParser: (oid: number): Parser => parsers.get(oid) ?? ((text) => text) };

function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`integer out of range: ${text}`);
  return value;
}
