import Type, { type TSchema, type TUnsafe } from "typebox";
import { channels, personalMethods } from "#collection/index.ts";
import { type IdPrefix, idPattern, type Language, languages, maxAmountMinor } from "#platform/index.ts";

/** A time as the API writes it. In responses, a `Date` is formatted in this way. */
export function instant(description: string, example = "2026-11-20T14:30:00.000Z"): TUnsafe<Date> {
  return Type.Unsafe<Date>({ type: "string", format: "date-time", description, examples: [example] });
}

/** A time or null. */
export function instantOrNull(description: string): TUnsafe<Date | null> {
  return Type.Unsafe<Date | null>({ type: ["string", "null"], format: "date-time", description });
}

/** A text or null. */
export function textOrNull(description: string, options: Record<string, unknown> = {}): TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ type: ["string", "null"], description, ...options });
}

/** A whole number or null. */
export function integerOrNull(description: string): TUnsafe<number | null> {
  return Type.Unsafe<number | null>({ type: ["integer", "null"], description });
}

/** One of a few names. */
export function oneOf<const Names extends readonly string[]>(names: Names, description: string): TUnsafe<Names[number]> {
  return Type.Unsafe<Names[number]>({ type: "string", enum: [...names], description });
}

/** One of the languages that Tillpost speaks. */
export function languageField(description: string): TUnsafe<Language> {
  return oneOf(
    languages.map(({ tag }) => tag),
    description,
  );
}

/** An id of one kind of object in a response. */
export function idOf(prefix: IdPrefix, description: string): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: "string",
    pattern: idPattern(prefix),
    description,
    examples: [`${prefix}_01m7wje4wze7as3wcxk3xbrgav`],
  });
}

/**
 * The amount in a request: a whole number out of bounds is amount_out_of_range, a value of another type parameter_invalid as everywhere.
 */
export function amountIn(description: string): TUnsafe<number> {
  return Type.Unsafe<number>({
    type: "integer",
    minimum: 1,
    maximum: maxAmountMinor,
    description,
    examples: [9900],
    "x-fault": "amount_out_of_range",
    "x-reason": "amount_out_of_range",
    "x-sentence": `must be a whole number of minor units from 1 to ${maxAmountMinor}`,
  });
}

/** A currency in a request; lower case is accepted. */
export function currencyIn(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: "string",
    pattern: "^[A-Za-z]{3}$",
    description,
    examples: ["CNY"],
    "x-fault": "unsupported_currency",
    "x-reason": "not_a_currency",
    "x-sentence": "must be an ISO 4217 currency code",
  });
}

/** A streaming response, for the OpenAPI document. */
export const streamOut = {
  200: {
    description: "Server-sent events, as long as the connection is open.",
    content: { "text/event-stream": { schema: { type: "string", description: "Lines of events." } } },
  },
};

/** A reference to the schema that is registered under a name. */
export function refTo<T>(name: string): TUnsafe<T> {
  return Type.Unsafe<T>({ $ref: `${name}#` });
}

/** A strict object: an unknown field is a fault. */
export function strict<P extends Record<string, TSchema>>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/**
 * A schema for each field of an operation's input. `satisfies FieldsOf<Input>` makes a field that is renamed in the schema a type error,
 * which the types of optional fields don't.
 */
export type FieldsOf<Input> = Record<keyof Input, TSchema>;

/** Path parameters. Their form isn't checked: an id that can't exist is simply not found. */
export function pathOf<const Names extends readonly string[]>(...names: Names) {
  const sentences: Record<string, string> = {
    projectId: "The API key's project.",
    id: "The object's ID.",
    token: "The payment link's token.",
    channel: `The collection profile's channel: ${channelsInWords}.`,
    slug: "The gateway's slug.",
    attemptId: "The attempt's ID.",
    previewId: "The preview's ID.",
    recordingId: "The recording's ID.",
  };
  const properties = Object.fromEntries(names.map((name) => [name, Type.String({ description: sentences[name] ?? name, maxLength: 200 })]));
  return Type.Unsafe<{ [Name in Names[number]]: string }>(Type.Object(properties));
}

/** An amount in a response. */
export function amountOut(description: string, example = 9900): TUnsafe<number> {
  return Type.Unsafe<number>({ type: "integer", description, examples: [example] });
}

/** A gateway's name in a response; any version may add new ones. */
export function gatewayField(description: string): TUnsafe<string> {
  return text(description, [personalMethods[0].gateway]);
}

/** The names of channels as descriptions list them. */
export const channelsInWords = channels.map((channel) => `\`${channel}\``).join(" or ");

/** A currency in a response. */
export function currencyOut(description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ type: "string", description, examples: ["CNY"] });
}

export function text(description: string, examples: string[] = []): TUnsafe<string> {
  return Type.Unsafe<string>({ type: "string", description, ...(examples.length === 0 ? {} : { examples }) });
}

export function flag(description: string): TUnsafe<boolean> {
  return Type.Unsafe<boolean>({ type: "boolean", description });
}

export function integer(description: string, options: Record<string, unknown> = {}): TUnsafe<number> {
  return Type.Unsafe<number>({ type: "integer", description, ...options });
}

/** An object's named schema: exactly these fields, all of them present unless they are optional. */
export function shape<P extends Record<string, TSchema>>($id: string, description: string, properties: P) {
  return Type.Object(properties, { $id, description, additionalProperties: false });
}

/** A named schema that may grow: readers must ignore unknown fields. */
export function shapeOf<P extends Record<string, TSchema>>($id: string, description: string, properties: P) {
  return Type.Object(properties, { $id, description });
}

/** The same fields as an object that may be null. */
export function shapeOrNull<T>(description: string, properties: Record<string, TSchema>): TUnsafe<T | null> {
  return Type.Unsafe<T | null>({ ...Type.Object(properties), type: ["object", "null"], additionalProperties: false, description });
}
