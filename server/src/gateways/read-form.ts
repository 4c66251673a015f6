import { type CredentialFault, CredentialsInvalid } from "./gateway-error.ts";
import type { CredentialField } from "./port.ts";

/**
 * The fields of an account's form, trimmed, with "" for empty ones. Throws `CredentialsInvalid` with every error at once: missing required
 * fields, and those that `faultOf` finds in the others.
 */
export function readForm(
  fields: readonly CredentialField[],
  given: Readonly<Record<string, string>>,
  faultOf: (name: string, value: string) => Omit<CredentialFault, "field"> | null,
): Record<string, string> {
  const read = fields.map(({ name, required }) => ({ name, required, value: given[name]?.trim() ?? "" }));
  const faults = read.flatMap(({ name, required, value }): CredentialFault[] => {
    if (value === "") return required ? [{ field: name, reason: "required", message: `${name} is missing.` }] : [];
    const fault = faultOf(name, value);
    return fault === null ? [] : [{ field: name, ...fault }];
  });
  if (faults.length > 0) throw new CredentialsInvalid(faults);
  return Object.fromEntries(read.map(({ name, value }) => [name, value]));
}
