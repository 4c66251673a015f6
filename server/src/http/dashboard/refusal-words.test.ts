import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { languages } from "#platform/index.ts";
import { listErrors } from "#requests/responses/error-catalogue.ts";

const text = readFileSync(new URL("../../../../web/dashboard/src/words/refusals.ts", import.meta.url), "utf8");
const tables = text.split(/^ {2}\w+: \{$/m).slice(1);

/** Refusals whose sentence says what is wrong with one value; that sentence is translated instead. */
const ofValues = [
  ...["parameter_missing", "parameter_invalid", "parameter_unknown", "parameter_conflict"],
  ...["unsupported_media_type", "recipient_invalid", "attachment_invalid", "header_not_allowed"],
];
/** Errors that only occur for a program with its own key, on an unknown path or on the buyer's page. */
const ofPrograms = [
  ...["api_key_invalid", "api_key_expired", "api_key_revoked", "ip_not_allowed", "host_not_allowed"],
  ...["invalid_json", "invalid_cursor", "method_not_allowed", "route_missing", "idempotency_key_invalid", "idempotency_key_reused"],
  ...["payment_link_expired", "payment_link_not_found", "payment_link_revoked"],
];

test("every refusal that a person can see on the dashboard has words in every language", () => {
  const codes = listErrors().map(({ code }) => code);
  const met = codes.filter((code) => !ofValues.includes(code) && !ofPrograms.includes(code));
  expect(tables).toHaveLength(languages.length);
  for (const table of tables) expect(met.filter((code) => !new RegExp(`^ {4}${code}: "`, "m").test(table))).toEqual([]);
  expect([...ofValues, ...ofPrograms].filter((code) => !codes.some((known) => known === code))).toEqual([]);
});
