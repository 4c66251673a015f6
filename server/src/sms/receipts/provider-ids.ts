/** How a carrier's report spells an id that it gave: the same, in another case, with other leading zeros, or in the other base. */
export type IdForm = "exact" | "case" | "zeros" | "hexadecimal" | "decimal";

/** The closest first. */
export const idForms: readonly IdForm[] = ["exact", "case", "zeros", "hexadecimal", "decimal"];

/** No carrier's id is longer: SMPP 3.4 has room for 64 characters. */
const convertedMax = 64;

/** The form in which ids are looked up: lower case, without leading zeros. */
export function foldId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, "");
}

/** What a reported id may have been when it was given, in the form of `foldId`. */
export function spellingsOf(reported: string): string[] {
  const folded = foldId(reported);
  return [...new Set([folded, hexadecimalOf(folded), decimalOf(folded)])].filter((spelling) => spelling !== null);
}

/** How a reported id spells a given one; null if it is another one. */
export function formOf(given: string, reported: string): IdForm | null {
  if (given === reported) return "exact";
  if (given.toLowerCase() === reported.toLowerCase()) return "case";
  const [ours, theirs] = [foldId(given), foldId(reported)];
  if (ours === theirs) return "zeros";
  if (hexadecimalOf(theirs) === ours) return "hexadecimal";
  return decimalOf(theirs) === ours ? "decimal" : null;
}

/** A decimal number as hexadecimal digits. */
function hexadecimalOf(folded: string): string | null {
  return folded.length <= convertedMax && /^\d+$/.test(folded) ? BigInt(folded).toString(16) : null;
}

/** A hexadecimal number as decimal digits. */
function decimalOf(folded: string): string | null {
  return folded.length <= convertedMax && /^[0-9a-f]+$/.test(folded) ? BigInt(`0x${folded}`).toString(10) : null;
}

interface Candidate {
  provider_message_id: string | null;
  created_at: Date;
}

export interface Match<Part> {
  part: Part;
  form: IdForm;
  /** It is in the base that the carrier is known to use; before that is known, in the base in which ids were given. */
  isExpected: boolean;
  /** No other part could match with another spelling, and what is known doesn't contradict it. */
  isInstructive: boolean;
}

/**
 * The part that a report is about, among the candidates: in the spelling that the carrier is known to use, otherwise the closest one; of
 * equal ones the newest. One in an unexpected base may be another message with a similar id, as long as responses may be on their way.
 */
export function chooseMatch<Part extends Candidate>(
  candidates: readonly Part[],
  reported: string,
  known: IdForm | null,
): Match<Part> | null {
  const fits = candidates.flatMap((part) => {
    const form = part.provider_message_id === null ? null : formOf(part.provider_message_id, reported);
    return form === null ? [] : [{ part, form }];
  });
  const forms = new Set(fits.map(({ form }) => form));
  const form = known !== null && forms.has(known) ? known : idForms.find((one) => forms.has(one));
  if (form === undefined) return null;
  const [best] = fits
    .filter((fit) => fit.form === form)
    .toSorted((left, right) => right.part.created_at.getTime() - left.part.created_at.getTime());
  if (best === undefined) return null;
  const isExpected = baseOf(form) === baseOf(known ?? "exact");
  return { ...best, isExpected, isInstructive: forms.size === 1 && (isExpected || known === null || baseOf(known) !== "given") };
}

function baseOf(form: IdForm): "given" | "hexadecimal" | "decimal" {
  return form === "hexadecimal" || form === "decimal" ? form : "given";
}

/** What is stored instead of a carrier's id with an early refusal of a part, which has none. */
export const refusalId = "";
