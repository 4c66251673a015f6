import type { Add } from "#messaging/index.ts";
import type { SmsInput } from "../shapes.ts";
import { normalizeText } from "../text/smart-encoding.ts";
import { charactersBeyondGsm7, type SplitText, splitText } from "../text/split-text.ts";

/** A message's text, and how it is encoded. */
export interface CheckedText {
  body: string;
  split: SplitText;
}

export type TextInput = Pick<SmsInput, "body" | "text" | "max_segments" | "smart_encoding">;

/** The maximum number of characters of a text, and of parts of a message. */
export const bodyLengthMax = 1_600;
export const segmentsMax = 10;
const shownMax = 10;

/** The text of a request in the form in which it is sent; "" if there is none. */
export function bodyOf({ body, text, smart_encoding }: TextInput): string {
  return normalizeText(body ?? text ?? "", { smart: smart_encoding === true });
}

/** Reads a message's text; `add` gets every error. */
export function checkText(input: TextInput, add: Add): CheckedText {
  const body = bodyOf(input);
  const param = input.body == null && input.text != null ? "text" : "body";
  const split = splitText(body);
  if (input.body != null && input.text != null)
    add("text", "parameter_conflict", { reason: "only_one", message: "text is another name for body. Send only one of them." });
  else if (body === "") add("body", "parameter_missing", { reason: "required", message: "body is required." });
  else if (!body.isWellFormed() || body.includes("\u0000"))
    add(param, "parameter_invalid", { reason: "forbidden_characters", message: "The text contains characters that can't be sent." });
  else if ([...body].length > bodyLengthMax)
    add(param, "parameter_invalid", {
      reason: "too_long",
      values: { max: bodyLengthMax },
      message: `The text can have up to ${bodyLengthMax} characters.`,
    });
  else checkLength(input, { split, param, body, add });
  return { body, split };
}

function checkLength(
  { max_segments }: TextInput,
  { split, param, body, add }: { split: SplitText; param: string; body: string; add: Add },
): void {
  const max = max_segments ?? segmentsMax;
  const { segments, encoding } = split;
  if (segments.length <= max) return;
  const costly = encoding === "UCS-2" ? charactersBeyondGsm7(body).slice(0, shownMax) : [];
  const hint = costly.length === 0 ? "" : ` These characters aren't in GSM-7 and make it longer: ${costly.join(" ")}`;
  add(param, "parameter_invalid", {
    reason: "too_many_segments",
    values: { max },
    message: `The text needs ${segments.length} parts, but only ${max} ${max === 1 ? "is" : "are"} allowed.${hint}`,
  });
}
