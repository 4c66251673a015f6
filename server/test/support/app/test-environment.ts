import { join } from "node:path";

/** Seals the secrets of every test's database. */
export const testMasterKeys = `1:${"a5".repeat(32)}`;

/** The environment of a program that serves a test's database. */
export function testEnvironment(url: string): { DATABASE_URL: string; MASTER_KEYS: string } {
  return { DATABASE_URL: url, MASTER_KEYS: testMasterKeys };
}

/** The same for a program under load that calls receivers on this machine, whose certificate is `ca.pem` in `folder`. */
export function loadedEnvironment(url: string, folder: string): Record<string, string> {
  return {
    ...testEnvironment(url),
    EGRESS_ALLOW: "127.0.0.0/8",
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    RATE_LIMIT_TEST: "1000000",
    RATE_LIMIT_BURST: "5000",
    LOG_LEVEL: "error",
  };
}

/** The environment of a program whose LIVE email goes through a mail server of the test, without limits. */
export function mailingEnvironment(mailPort: number): Record<string, string> {
  return {
    RATE_LIMIT_LIVE: "1000000",
    RATE_LIMIT_TIERS: "free.emails=1000000,free.burst=5000",
    QUOTA_TIERS: "free.emails=1000000",
    EMAIL_DOMAIN: "tillpost.example",
    EMAIL_FROM: "Tillpost <no-reply@tillpost.example>",
    EMAIL_TRANSPORT: "relay",
    EMAIL_RELAY_URL: `smtp://127.0.0.1:${mailPort}`,
  };
}
