import { expect, test } from "vitest";
import { CredentialsInvalid } from "./gateway-error.ts";
import type { CredentialField } from "./port.ts";
import { readForm } from "./read-form.ts";

const field = (name: string, required: boolean): CredentialField => ({
  ...{ name, required, secret: false, multiline: false, names: { en: name, zh: name }, hints: { en: name, zh: name } },
});
const fields = [field("id", true), field("key", true), field("note", false)];
const read = (given: Record<string, string>) =>
  readForm(fields, given, (name, value) => (value.includes(" ") ? { reason: "malformed", message: `${name} has no spaces.` } : null));

test("a form's values are trimmed, empty ones become null, and unknown ones are omitted", () => {
  expect(read({ id: " a\n", key: "b", stranger: "c" })).toEqual({ id: "a", key: "b", note: "" });
});

test.each([
  ["nothing", {}, ["id: required", "key: required"]],
  ["blanks alone", { id: "  ", key: "\t" }, ["id: required", "key: required"]],
  ["faults of both kinds", { key: "a b", note: "c d" }, ["id: required", "key: malformed", "note: malformed"]],
])("a form with %s is refused with all faults together", (_what, given, faults) => {
  const refusal = (() => {
    try {
      return read(given);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(CredentialsInvalid);
  expect((refusal as CredentialsInvalid).faults.map(({ field: name, reason }) => `${name}: ${reason}`)).toEqual(faults);
});
