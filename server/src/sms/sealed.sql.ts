import { type SealedColumn, type SealPlace, sealedColumn } from "#platform/index.ts";

/** What the sealed text of a message is bound to. */
export function bodyPlace(smsId: string): SealPlace {
  return { table: "sms", column: "sealed_body", row: smsId };
}

/** Columns with texts that contain secrets. */
export const smsSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: "sms.sealed_body",
    table: (tag) => tag`sms`,
    column: (tag) => tag`sealed_body`,
    row: (tag) => tag`id`,
    // Each branch has its own index; ended messages have no sealed text.
    where: (tag) => tag`(state = 'waiting' or state = 'due' or state = 'leased' or state = 'set_aside') and sealed_body is not null`,
    // Codes in an old copy have expired.
    exposes: null,
  }),
];
