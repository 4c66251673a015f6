import { type SealedColumn, sealedColumn } from "#platform/index.ts";

/** The columns with the secrets of accounts with payment providers. */
export const gatewaySecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: "gateway_credentials.sealed",
    table: (tag) => tag`gateway_credentials`,
    column: (tag) => tag`sealed`,
    row: (tag) => tag`id`,
    exposes: {
      one: "account with a payment provider",
      many: "accounts with payment providers",
      remedy:
        "create new keys at the provider, enter them here with `expire_old_in_seconds: 0`, and revoke the old ones there, also those of removed accounts",
    },
  }),
  sealedColumn({
    name: "gateway_former_fields.sealed",
    table: (tag) => tag`gateway_former_fields`,
    column: (tag) => tag`sealed`,
    row: (tag) => tag`credential_id || ' ' || fields_version`,
    exposes: {
      one: "earlier set of fields of such an account, which still verifies callbacks",
      many: "earlier sets of fields of such accounts, which still verify callbacks",
      remedy: "they end when the account's keys are replaced as above",
    },
  }),
];
