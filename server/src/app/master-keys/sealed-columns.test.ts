import { expect, it } from "vitest";
import { sealedColumns } from "./sealed-columns.ts";

/** Payment providers' keys move money. */
const exposing = [
  "webhook_endpoints.secret",
  "callback_secrets.secret",
  "gateway_credentials.sealed",
  "gateway_former_fields.sealed",
  "domains.private_key",
  "person_two_factors.secret",
];
/** Values that have expired in an old copy, that a revocation ends itself, or that another column of their row counts. */
const exposesNothing = [
  "derived_keys.sealed",
  "audit_key.sealed",
  "webhook_endpoints.next_secret",
  "webhook_endpoints.previous_secret",
  "callback_secrets.next_secret",
  "callback_secrets.previous_secret",
  "email_bodies.body",
  "sms.sealed_body",
  "calls.sealed_said",
  "call_lines.sealed_document",
  "call_lines.sealed_sound",
  "notices.params",
  "person_two_factors.backup_codes",
];

it("of each column it is decided whether a revocation lists what someone who reads an old copy can still use", () => {
  const lists = { exposing: exposing.sort(), exposesNothing: exposesNothing.sort() };
  const named = (isExposing: boolean) => sealedColumns.filter(({ exposes }) => (exposes !== null) === isExposing).map(({ name }) => name);
  expect({ exposing: named(true).sort(), exposesNothing: named(false).sort() }).toEqual(lists);
});
