import { normalForm, platformErrors } from "#platform/index.ts";

/** Blanks, control characters and everything invisible: copied numbers contain them, and people can't see them. */
const unseen =
  /[\s\p{Cc}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\uffff\u{e0000}-\u{e0fff}]|\u034f|[\u180b-\u180d]|\u180f|[\ufe00-\ufe0f]/gu;

/** Names that Tillpost gives to money without its own number. */
const own = /^(?:manual|receipt|simulated):/;

/**
 * Refuses texts that aren't a transfer's number: nothing visible, line ends and other control characters inside, or a name that Tillpost
 * generates.
 */
export function refuseOddNumber(param: string, number: string): void {
  const key = externalKey(number);
  if (key !== null && !own.test(key) && !/\p{Cc}/u.test(number.trim())) return;
  throw platformErrors.parameter_invalid({
    param,
    reason: "not_a_transfer_number",
    message: "This isn't a transfer number. Copy it from the wallet.",
  });
}

/**
 * The number of a WeChat or Alipay transfer in comparable form: in one width and case, without blanks and invisible characters. The typed
 * form is stored next to it. null if nothing remains. `external_key_of` in the database computes the same for what earlier versions wrote.
 */
export function externalKey(externalId: string | null | undefined): string | null {
  if (externalId == null) return null;
  const key = normalForm(externalId, "NFKC")
    .replace(unseen, "")
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return key === "" ? null : key;
}
