import { ownProject, type SealedColumn, sealedColumn } from "#platform/index.ts";

/** Where the keys that sign mail are, and the texts of Tillpost's own mails, which hold links that open something. */
export const mailSecrets: readonly SealedColumn[] = [
  sealedColumn({ name: "domains.private_key", table: (tag) => tag`domains`, column: (tag) => tag`private_key`, row: (tag) => tag`id` }),
  sealedColumn({
    name: "email_bodies.body",
    table: (tag) => tag`email_bodies`,
    column: (tag) => tag`body`,
    row: (tag) => tag`email_id`,
    // The texts of projects' messages are many, and not sealed.
    where: (tag) => tag`project_id = ${ownProject.project_id} and livemode = ${ownProject.livemode}`,
  }),
];
