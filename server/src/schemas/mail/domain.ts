import Type from "typebox";
import type { DomainRow } from "#email/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, strict, text } from "../fields/fields.ts";

export const domainStatuses = ["pending", "verified", "failed"] as const;

export type DomainShape = ReturnType<typeof showDomain>;

/** A DNS record, with what the last look found. */
export const domainRecord = Type.Object(
  {
    type: oneOf(["TXT", "CNAME"], "The record's type."),
    name: text("Its whole name.", ["_tillpost.shop.example.com"]),
    value: text("What it must hold.", ["tillpost-verification=k3JxmJ5sQz0T1vYhW8RkCb2LxEpd9pQv"]),
    purpose: oneOf(
      ["verification", "dkim", "spf", "dmarc", "return_path", "links"],
      "What it is for. `verification` and `dkim` are needed to send; the others make mail arrive better.",
    ),
    status: oneOf(["pending", "verified", "failed"], "What the last check found: `failed` is not there, or not as it must be."),
  },
  { additionalProperties: false, description: "A DNS record to publish." },
);

export const domainSchema = shape("Domain", "A domain that mail is sent from.", {
  id: idOf("dom", "The domain's id."),
  object: oneOf(["domain"], "Always `domain`."),
  project_id: idOf("prj", "The project that it belongs to."),
  livemode: flag("False in the TEST environment."),
  name: text("Its name, in lower case and ASCII.", ["shop.example.com"]),
  status: oneOf(domainStatuses, "`verified` may be sent from; `failed` was not found in three days of looking."),
  records: Type.Array(domainRecord, { description: "What to publish." }),
  checks: integer("How often its records were looked for."),
  checked_at: instantOrNull("When they were last looked for."),
  next_check_at: instantOrNull("When they are looked for next; null: when you ask."),
  missing_since: instantOrNull("Since when a verified domain's records cannot be found any more."),
  verified_at: instantOrNull("When it was verified."),
  failed_at: instantOrNull("When it was given up."),
  version: integer("Grows by one with each check."),
  created_at: instant("When it was added."),
  updated_at: instant("When it was last changed."),
});

export const domainIn = strict({
  name: Type.String({ minLength: 1, maxLength: 253, description: "The domain's name; international names are taken too.", examples: ["shop.example.com"] }),
  custom_return_path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 63, description: "The label under it where bounces come back; `bounces` when absent.", examples: ["send"] }),
  ),
  tracking_subdomain: Type.Optional(
    Type.String({ minLength: 1, maxLength: 63, description: "The label under it that links in mail may lead through; `links` when absent.", examples: ["go"] }),
  ),
  region: Type.Optional(
    Type.String({ maxLength: 64, description: "Taken for the sake of clients that send one. Mail leaves from this installation.", examples: ["eu-west-1"] }),
  ),
});

/** Field by field: keys never leave their room. */
export function showDomain(row: DomainRow) {
  const { id, project_id, livemode, name, status, records, checks, checked_at, next_check_at, missing_since, verified_at, failed_at } = row;
  return {
    id,
    object: "domain" as const,
    project_id,
    livemode,
    name,
    status,
    records: records.map((one) => ({ type: one.type, name: one.name, value: one.value, purpose: one.purpose, status: one.status })),
    checks,
    checked_at,
    next_check_at,
    missing_since,
    verified_at,
    failed_at,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
