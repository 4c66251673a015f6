import { type SealedColumn, sealedColumn } from "#platform/index.ts";

/** The column with the key of the audit log's chains. */
export const auditSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: "audit_key.sealed",
    table: (tag) => tag`audit_key`,
    column: (tag) => tag`sealed`,
    row: (tag) => tag`id::text`,
    // It can't be replaced: every chain depends on it. The anchors outside the database show chains that someone rewrote.
    exposes: null,
  }),
];
