import type { MasterKeys, SealedColumn } from "#platform/index.ts";
import { signInSecrets } from "../sign-in/cookies/cookie.ts";

/** What the sign-in library encrypts itself, with keys derived from the master keys: `$ba$1$…`. */
function twoFactorColumn(name: string, column: SealedColumn["column"]): SealedColumn {
  return {
    name,
    table: (tag) => tag`person_two_factors`,
    column,
    row: (tag) => tag`id`,
    where: (tag) => tag`true`,
    marks: ["$ba$", "$"],
    target: ({ signing }) => signing,
    open: async (keys, { sealed }) => {
      const { symmetricDecrypt } = await import("better-auth/crypto");
      return Buffer.from(await symmetricDecrypt({ key: configOf(keys), data: sealed }));
    },
    seal: async (keys, _row, plain) => {
      const { symmetricEncrypt } = await import("better-auth/crypto");
      return symmetricEncrypt({ key: configOf(keys), data: plain.toString() });
    },
  };
}

/** Columns with authenticators' secrets and recovery codes. */
export const twoFactorSecrets: readonly SealedColumn[] = [
  twoFactorColumn("person_two_factors.secret", (tag) => tag`secret`),
  twoFactorColumn("person_two_factors.backup_codes", (tag) => tag`backup_codes`),
];

function configOf(keys: MasterKeys) {
  return { keys: new Map(signInSecrets(keys).map(({ version, value }) => [version, value])), currentVersion: keys.signing };
}
