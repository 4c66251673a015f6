import type { AnySchemaObject, ValidateFunction } from "ajv";
import { type BatchFault, batchItemsMax, messagingErrors } from "#messaging/index.ts";
import { AppError, type ErrorDetail, platformErrors } from "#platform/index.ts";
import { createAjv, faultsOf, type ValidationFault } from "#requests/index.ts";

/** A batch as its operation takes it: each message merged with the defaults, and the errors of invalid ones. */
export interface ReadBatch<Input> {
  items: Input[];
  faults: BatchFault[];
}

/** The form of a channel's batches. */
interface BatchShape {
  /** For a batch that is an object. */
  batch: AnySchemaObject;
  /** For one message. */
  item: AnySchemaObject;
  /** The names of the list of messages; the first one is used in errors. */
  names: readonly [string, ...string[]];
  /** Fields with two names: a message that has one of them takes neither from the defaults. */
  aliases?: readonly (readonly string[])[];
}

interface Validators {
  isBatch: ValidateFunction;
  isItem: ValidateFunction;
}

/** By the schema of one message. */
const known = new WeakMap<AnySchemaObject, Validators>();

/** Compiles the schemas of batches for the first one that is read: a start doesn't wait for them, nor does another server of a process. */
function validatorsOf({ batch, item }: BatchShape): Validators {
  const before = known.get(item);
  if (before !== undefined) return before;
  const ajv = createAjv({});
  const validators = { isBatch: ajv.compile(batch), isItem: ajv.compile(item) };
  known.set(item, validators);
  return validators;
}

/** Creates the reader of batches. Every message is validated separately, so that a permissive batch only loses the invalid ones. */
export function createBatchReader<Input>(shape: BatchShape): (body: unknown) => ReadBatch<Input> {
  const { names, aliases = [] } = shape;
  return (body) => {
    const { isBatch, isItem } = validatorsOf(shape);
    if (!Array.isArray(body) && !isBatch(body)) throw faultsOf(faultOf(isBatch.errors), body);
    const { defaults, messages, param } = listIn(body, names);
    if (messages.length === 0)
      throw platformErrors.parameter_invalid({ param, reason: "empty", message: "A batch holds 1 to 100 messages." });
    if (messages.length > batchItemsMax) throw messagingErrors.batch_too_large({ param });
    const items = messages.map((message) =>
      isObject(message) ? { ...withoutAliases(defaults, message, aliases), ...message } : message,
    ) as Input[];
    const faults = items.flatMap((one, index) => (isItem(one) ? [] : detailsOf(isItem.errors, one).map((fault) => ({ index, ...fault }))));
    return { items, faults };
  };
}

/** The messages of a batch, and their location: at the top, or under one of its names. */
function listIn(body: unknown, names: BatchShape["names"]): { defaults: object; messages: unknown[]; param: string } {
  if (Array.isArray(body)) return { defaults: {}, messages: body, param: "body" };
  const given = body as Record<string, unknown[] | undefined> & { defaults?: object };
  const [param, other] = names.filter((name) => given[name] !== undefined);
  if (other !== undefined)
    throw platformErrors.parameter_conflict({ param: other, reason: "only_one", message: `Send ${param} or ${other}, not both.` });
  if (param === undefined)
    throw platformErrors.parameter_missing({ param: names[0], reason: "required", message: `${names[0]} is required.` });
  return { defaults: given.defaults ?? {}, messages: given[param] as unknown[], param };
}

function withoutAliases(defaults: object, message: object, aliases: readonly (readonly string[])[]): object {
  const given = new Set(Object.entries(message).flatMap(([name, value]) => (value === null ? [] : [name])));
  const taken = new Set(aliases.filter((names) => names.some((name) => given.has(name))).flat());
  return taken.size === 0 ? defaults : Object.fromEntries(Object.entries(defaults).filter(([name]) => !taken.has(name)));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function faultOf(errors: unknown): ValidationFault {
  return Object.assign(new Error("the batch does not fit its schema"), {
    validation: (errors ?? []) as ValidationFault["validation"],
    validationContext: "body",
  });
}

function detailsOf(errors: unknown, item: unknown): ErrorDetail[] {
  const error = faultsOf(faultOf(errors), item);
  return error instanceof AppError ? (error.extras.details ?? []) : [];
}
