import type { MasterKeys, SealedColumn } from "#platform/index.ts";
import { signInSecrets } from "../sign-in/cookies/cookie.ts";

/** What the sign-in library encrypts itself, with keys derived from the master keys: `$ba$1$…`. */
function twoFactorColumn({ name, column, exposes }: Pick<SealedColumn, "name" | "column" | "exposes">): SealedColumn {
  return {
    ...{ name, exposes },
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
  twoFactorColumn({
    name: "person_two_factors.secret",
    column: (tag) => tag`secret`,
    exposes: {
      one: "person with an authenticator",
      many: "people with an authenticator",
      remedy: "turn two-step sign-in off and on again",
    },
  }),
  // Counted with the row's secret, and replaced with it.
  twoFactorColumn({ name: "person_two_factors.backup_codes", column: (tag) => tag`backup_codes`, exposes: null }),
];

function configOf(keys: MasterKeys) {
  return { keys: new Map(signInSecrets(keys).map(({ version, value }) => [version, value])), currentVersion: keys.signing };
}
