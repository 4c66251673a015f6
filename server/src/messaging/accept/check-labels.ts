import { AppError, type Ctx, cardFaults, type ErrorDetail } from "#platform/index.ts";

/** Why a parameter is refused. */
export type Why = Pick<ErrorDetail, "reason" | "values" | "message">;

/** Adds an error of a parameter: its code and reason. */
export type Add = (param: string, code: string, why: Why) => void;

/** A name and a value for filtering messages. */
export interface Tag {
  name: string;
  value: string;
}

/** Why a message failed. */
export interface MessageError {
  code: string;
  message: string;
  provider_code: string | null;
}

interface Labels {
  tags?: readonly Tag[] | null;
  metadata?: Record<string, string> | null;
}

const tagsMax = 50;
const metadataBytesMax = 16_384;

/** Checks the labels by which merchants filter their messages. They must not contain card data. */
export function checkLabels({ tags, metadata }: Labels, add: Add): void {
  if ((tags ?? []).length > tagsMax)
    add("tags", "parameter_invalid", {
      reason: "too_many",
      values: { max: tagsMax },
      message: `A message can have up to ${tagsMax} tags.`,
    });
  (tags ?? []).forEach(({ name, value }, index) => {
    checkTag(name, { param: `tags[${index}].name`, what: "name", add });
    checkTag(value, { param: `tags[${index}].value`, what: "value", add });
  });
  if (Buffer.byteLength(JSON.stringify(metadata ?? {})) > metadataBytesMax)
    add("metadata", "parameter_invalid", { reason: "metadata_too_large", message: "Metadata can be up to 16 KB in total." });
  for (const { param, code, ...why } of cardFaults(metadata ?? {})) add(param, code, why);
}

function checkTag(text: string, { param, what, add }: { param: string; what: string; add: Add }): void {
  if (/^[\w-]{1,256}$/.test(text)) return;
  add(param, "parameter_invalid", {
    reason: "tag_characters",
    message: `A tag's ${what} has 1 to 256 letters, digits, underscores or hyphens.`,
  });
}

/** Checks the address that receives a message's events. */
export async function checkCallback(ctx: Ctx, url: string | null | undefined, add: Add): Promise<void> {
  if (url == null) return;
  await ctx.egress.check(url, "status_callback").catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "url_not_allowed") throw error;
    add("status_callback", "url_not_allowed", { reason: "url_not_allowed", message: error.message });
  });
}
