import type { EmailInput } from "#email/index.ts";
import { type BatchFault, batchItemsMax, messagingErrors } from "#messaging/index.ts";
import { AppError, type ErrorDetail, platformErrors } from "#platform/index.ts";
import { emailBatchIn, emailIn } from "#schemas/index.ts";
import { createAjv } from "../validation/compile.ts";
import { faultsOf, type ValidationFault } from "../validation/faults.ts";

/** A batch as its deed takes it: each message merged with the defaults, and what is wrong with the shape of some. */
export interface ReadBatch {
  items: EmailInput[];
  faults: BatchFault[];
}

/** Makes the reader of batches. Every message is held against its schema by itself, so that a permissive batch loses the faulty ones alone. */
export function createBatchReader(): (body: unknown) => ReadBatch {
  const ajv = createAjv({});
  const [isBatch, isEmail] = [ajv.compile(emailBatchIn), ajv.compile(emailIn)];
  return (body) => {
    if (!Array.isArray(body) && !isBatch(body)) throw faultsOf(faultOf(isBatch.errors), body);
    const { defaults, emails, param } = listIn(body);
    if (emails.length === 0) throw platformErrors.parameter_invalid({ param, reason: "empty", message: "A batch holds 1 to 100 messages." });
    if (emails.length > batchItemsMax) throw messagingErrors.batch_too_large({ param });
    const items = emails.map((email) => (isObject(email) ? { ...defaults, ...email } : email)) as EmailInput[];
    const faults = items.flatMap((item, index) => (isEmail(item) ? [] : detailsOf(isEmail.errors, item).map((fault) => ({ index, ...fault }))));
    return { items, faults };
  };
}

interface Batch {
  defaults?: object;
  emails?: unknown[];
  messages?: unknown[];
}

/** The messages of a batch, and where they stand: bare, or under one of two names. */
function listIn(body: unknown): { defaults: object; emails: unknown[]; param: string } {
  if (Array.isArray(body)) return { defaults: {}, emails: body, param: "body" };
  const { defaults = {}, emails, messages } = body as Batch;
  if (emails !== undefined && messages !== undefined)
    throw platformErrors.parameter_conflict({ param: "messages", reason: "only_one", message: "Send emails or messages, not both." });
  const list = emails ?? messages;
  if (list === undefined) throw platformErrors.parameter_missing({ param: "emails", reason: "required", message: "emails is required." });
  return { defaults, emails: list, param: emails === undefined ? "messages" : "emails" };
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
