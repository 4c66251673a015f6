import { ownProject, type SealedColumn, sealedColumn } from "#platform/index.ts";

/** Where the keys that sign mail are, the texts of Tillpost's own mails, which hold links that open something, and those of mails with codes. */
export const mailSecrets: readonly SealedColumn[] = [
  sealedColumn({ name: "domains.private_key", table: (tag) => tag`domains`, column: (tag) => tag`private_key`, row: (tag) => tag`id` }),
  sealedColumn({
    name: "email_bodies.body",
    table: (tag) => tag`email_bodies`,
    column: (tag) => tag`body`,
    row: (tag) => tag`email_id`,
    // The texts of projects' messages are many; those that are sealed go within hours.
    where: (tag) =>
      tag`((project_id = ${ownProject.project_id} and livemode = ${ownProject.livemode}) or (created_at > app_now() - interval '1 day' and body like 'v1.%'))`,
  }),
];
