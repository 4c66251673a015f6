import { ownProject, type SealedColumn, sealedColumn } from "#platform/index.ts";

/** Columns with DKIM keys, and with the texts of system emails, which contain links that open something, and of emails with codes. */
export const mailSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: "domains.private_key",
    table: (tag) => tag`domains`,
    column: (tag) => tag`private_key`,
    row: (tag) => tag`id`,
    exposes: { one: "sending domain", remedy: "remove and add each one again, with its new DNS record" },
  }),
  sealedColumn({
    name: "email_bodies.body",
    table: (tag) => tag`email_bodies`,
    column: (tag) => tag`body`,
    row: (tag) => tag`email_id`,
    // Projects' messages have many texts; the sealed ones are deleted within hours.
    where: (tag) =>
      tag`((project_id = ${ownProject.project_id} and livemode = ${ownProject.livemode})
        or (created_at > app_now() - interval '1 day' and body like 'v1.%'))`,
    // Links and codes in old emails have expired.
    exposes: null,
  }),
];
