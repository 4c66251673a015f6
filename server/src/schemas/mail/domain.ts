import Type from "typebox";
import type { DomainRow } from "#email/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, strict, text } from "../fields/fields.ts";

export const domainStatuses = ["pending", "verified", "failed"] as const;

export type DomainShape = ReturnType<typeof showDomain>;

/** A DNS record, with the result of the last lookup. */
export const domainRecord = Type.Object(
  {
    type: oneOf(["TXT", "CNAME"], "The record's type."),
    name: text("The record's full name.", ["_tillpost.shop.example.com"]),
    value: text("The value to publish.", ["tillpost-verification=k3JxmJ5sQz0T1vYhW8RkCb2LxEpd9pQv"]),
    purpose: oneOf(
      ["verification", "dkim", "spf", "dmarc", "return_path", "links"],
      "What the record is for. `verification` and `dkim` are required to send; the others improve delivery.",
    ),
    status: oneOf(["pending", "verified", "failed"], "The result of the last check. `failed`: the record is missing or has another value."),
  },
  { additionalProperties: false, description: "A DNS record to publish." },
);

export const domainSchema = shape("Domain", "A domain you send email from.", {
  id: idOf("dom", "The domain's ID."),
  object: oneOf(["domain"], "Always `domain`."),
  project_id: idOf("prj", "The project it belongs to."),
  livemode: flag("False in TEST."),
  name: text("Its name, in lower case and ASCII.", ["shop.example.com"]),
  status: oneOf(domainStatuses, "You can send from a `verified` domain. `failed`: its records weren't found within three days."),
  records: Type.Array(domainRecord, { description: "The DNS records to publish." }),
  checks: integer("How many times its records were checked."),
  checked_at: instantOrNull("When they were last checked."),
  next_check_at: instantOrNull("When they'll be checked next; null if only on request."),
  missing_since: instantOrNull("Since when a verified domain's records have been missing."),
  verified_at: instantOrNull("When it was verified."),
  failed_at: instantOrNull("When verification failed."),
  version: integer("Increases by one with every check."),
  created_at: instant("When it was added."),
  updated_at: instant("When it was last updated."),
});

export const domainIn = strict({
  name: Type.String({
    minLength: 1,
    maxLength: 253,
    description: "The domain's name. International names work too.",
    examples: ["shop.example.com"],
  }),
  custom_return_path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 63,
      description: "The subdomain that receives bounces. Defaults to `bounces`.",
      examples: ["send"],
    }),
  ),
  tracking_subdomain: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 63,
      description: "The subdomain for tracking and unsubscribe links. Defaults to `links`.",
      examples: ["go"],
    }),
  ),
  region: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Accepted for compatibility with clients that send it, and ignored.",
      examples: ["eu-west-1"],
    }),
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
