import multipart, { type Multipart } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { type Spooled, spoolUpload, uploadBytesMax } from "#assets/index.ts";
import { isStorable, platformErrors } from "#platform/index.ts";
import { noteUpload } from "./slow-uploads.ts";
import { isValidationFault } from "./validation/faults.ts";

const fieldsMax = 12;
const fieldBytesMax = 8 * 1024;

/** A parsed multipart form: its one file, spooled to disk, and its text fields. Remove the file when done. */
export interface Upload {
  file: Spooled | null;
  fields: Record<string, string>;
}

/** Lets the routes of a plugin accept multipart forms. Nothing is read until `readUpload`. */
export async function acceptUploads(app: FastifyInstance): Promise<void> {
  // Without its own limit, the parser would cut files at the limit of JSON bodies; one byte more than allowed lets `spoolUpload` refuse.
  await app.register(multipart, {
    limits: {
      fileSize: uploadBytesMax + 1,
      files: 1,
      fields: fieldsMax,
      parts: fieldsMax + 1,
      fieldSize: fieldBytesMax,
      fieldNameSize: 64,
      headerPairs: 20,
    },
  });
}

/** True if the request has a multipart form. */
export function isUpload(request: FastifyRequest): boolean {
  return request.isMultipart?.() === true;
}

/**
 * Reads a form with at most one file, in the field `file`. Throws parameter_unknown for a file elsewhere, file_too_large, and errors of the
 * form itself.
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  const upload: Upload = { file: null, fields: {} };
  noteUpload(request.raw);
  try {
    for await (const part of request.parts()) await takePart(upload, part);
    return upload;
  } catch (error) {
    await upload.file?.remove();
    throw brokenForm(error);
  }
}

async function takePart(upload: Upload, part: Multipart): Promise<void> {
  if (typeof part.fieldname !== "string") {
    if (part.type === "file") part.file.resume();
    throw platformErrors.parameter_invalid({ param: "body", reason: "form_broken", message: "A part of the form doesn't have a name." });
  }
  if (part.type === "file") {
    if (part.fieldname !== "file") {
      part.file.resume();
      throw platformErrors.parameter_unknown({ param: part.fieldname.slice(0, 64), reason: "unknown_field" });
    }
    const spooled = await spoolUpload(part.file);
    // A browser's form sends an empty part for a file that wasn't chosen.
    if (spooled.size_bytes === 0) await spooled.remove();
    else upload.file = spooled;
    return;
  }
  const value = String(part.value);
  if (part.valueTruncated || part.fieldnameTruncated)
    throw platformErrors.parameter_invalid({
      param: part.fieldname.slice(0, 64),
      reason: "field_too_long",
      message: "This field is too long.",
    });
  if (!isStorable(value))
    throw platformErrors.parameter_invalid({
      param: part.fieldname.slice(0, 64),
      reason: "forbidden_characters",
      message: "Texts can't contain NUL characters.",
    });
  if (part.fieldname === "__proto__") throw platformErrors.parameter_unknown({ param: part.fieldname, reason: "unknown_field" });
  upload.fields[part.fieldname] = value;
}

/** The form parser's errors about a truncated or malformed body are the sender's. */
function brokenForm(error: unknown): unknown {
  const { code, statusCode, message } = (error ?? {}) as { code?: unknown; statusCode?: unknown; message?: unknown };
  if (code === "FST_PARTS_LIMIT" || code === "FST_FIELDS_LIMIT" || code === "FST_FILES_LIMIT") {
    return platformErrors.parameter_invalid({
      param: "body",
      reason: "form_broken",
      message: "The form has too many parts.",
      cause: error,
    });
  }
  const ofParser = typeof message === "string" && /unexpected end|malformed|boundary|header|multipart|premature|aborted/i.test(message);
  if (statusCode === undefined && code === undefined && ofParser && error instanceof Error && error.name === "Error") {
    return platformErrors.parameter_invalid({ param: "body", reason: "form_broken", message: "The form is incomplete.", cause: error });
  }
  return error;
}

/** Validates a form's fields like query parameters: texts become numbers if the schema requires them. */
export function checkFields<Schema extends TSchema>(
  request: FastifyRequest,
  schema: Schema,
  fields: Record<string, string>,
): Static<Schema> {
  const validate = request.compileValidationSchema(schema as object as Record<string, unknown>, "querystring") as {
    (value: unknown): boolean;
    errors?: unknown[];
  };
  if (validate(fields)) return fields as unknown as Static<Schema>;
  const fault = Object.assign(new Error("a field does not fit its schema"), {
    validation: validate.errors ?? [],
    validationContext: "body",
  });
  if (!isValidationFault(fault)) throw platformErrors.parameter_invalid();
  throw fault;
}

/**
 * The body of a request without a file, for a route whose schema is of JSON. The framework validates only the media types that a route
 * declares, so the fields of any other body, which is a form or empty, are validated here.
 */
export function readBodyWithoutFile<Schema extends TSchema>(request: FastifyRequest, schema: Schema): Static<Schema> {
  if (request.mediaType === "application/json") return request.body as Static<Schema>;
  return checkFields(request, schema, filledFields((request.body ?? {}) as Record<string, string>));
}

/** A browser sends every field of a form; an empty one wasn't filled in. */
export function filledFields(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}
