import { type SealedColumn, sealedColumn } from "#platform/index.ts";

/** The columns with the secrets of accounts with payment providers. */
export const gatewaySecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: "gateway_credentials.sealed",
    table: (tag) => tag`gateway_credentials`,
    column: (tag) => tag`sealed`,
    row: (tag) => tag`id`,
  }),
  sealedColumn({
    name: "gateway_former_fields.sealed",
    table: (tag) => tag`gateway_former_fields`,
    column: (tag) => tag`sealed`,
    row: (tag) => tag`credential_id || ' ' || fields_version`,
  }),
];
