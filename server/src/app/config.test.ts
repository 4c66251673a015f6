import { describe, expect, it } from "vitest";
import { readSettings, type SettingsError } from "./config.ts";
import { envExample, settingsMarkdown } from "./settings-documents.ts";
import { settingsTable } from "./settings-table.ts";

const key = `1:${"ab".repeat(32)}`;

describe("readSettings", () => {
  it("works without any settings", () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      PORT: 8080,
      HOST: "localhost",
      PUBLIC_URL: "http://localhost:8080",
      MESSAGING_BASE_URL: "http://localhost:8080",
      WORKERS: true,
      TRUSTED_PROXIES: [],
    });
    expect(settings.TILLPOST_DATA_DIR).toMatch(/^\/.*\/\.tillpost$/);
  });

  it("reads each kind of value, and treats an empty one as unset", () => {
    const settings = readSettings({
      PORT: " 9000 ",
      WORKERS: "off",
      TRUSTED_PROXIES: "10.0.0.0/8, ::1",
      PUBLIC_URL: "https://pay.example.com/",
      HOST: "",
    });
    expect(settings).toMatchObject({
      PORT: 9000,
      WORKERS: false,
      TRUSTED_PROXIES: ["10.0.0.0/8", "::1"],
      PUBLIC_URL: "https://pay.example.com",
      HOST: "localhost",
    });
  });

  it("reports all faults together, each by its name", () => {
    const faults = faultsOf({
      PORT: "http",
      WORKERS: "maybe",
      LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://x",
      PUBLIC_URL: "ftp://x",
      FLAT_PATHS_SUNSET_AT: "soon",
    });
    expect(faults.map((line) => line.split(" ")[0])).toEqual([
      "PORT",
      "PUBLIC_URL",
      "DATABASE_URL",
      "FLAT_PATHS_SUNSET_AT",
      "WORKERS",
      "LOG_LEVEL",
    ]);
  });

  it.each([
    ["PORT", "70000"],
    ["PORT", "-1"],
    ["PORT", "1e3"],
    ["DATABASE_POOL", "1"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["TRUSTED_PROXIES", "proxy"],
    ["ALLOWED_HOSTS", "https://pay.example.com"],
    ["ALLOWED_HOSTS", "pay.example.com:8080"],
    ["ALLOWED_HOSTS", "fd00::5"],
    ["ALLOWED_HOSTS", "*.example.com/"],
    ["EGRESS_ALLOW", "127.0.0.1/8/8"],
    ["MASTER_KEYS", "secret-text"],
    ["METRICS_TOKEN", "short"],
    ["PUBLIC_URL", "https://a.example?x=1"],
    ["SIGNUP", "all"],
    ["LIMITS_STORE", "disk"],
    ["TRUSTED_PROXIES", "0.0.0.0/0"],
    ["TRUSTED_PROXIES", "10.0.0.1, ::/0"],
    ["TRUSTED_PROXIES", "fe80::1%eth0"],
    ["MASTER_KEYS", `${key},2:${"cd".repeat(32)},1:${"cd".repeat(32)}`],
    ["EMAIL_DOMAIN", ".."],
    ["EMAIL_DOMAIN", "mail example.com"],
    ["EMAIL_BOUNCE_DOMAIN", "bounce_.example.com"],
    ["EMAIL_HELO", "mail example.com"],
    ["EMAIL_HELO", "[10.0.0]"],
    ["REDIS_URL", "http://cache:6379"],
    ["RATE_LIMIT_TIERS", "gold.general=1"],
    ["RATE_LIMIT_TIERS", "free.general=0"],
    ["FLAT_PATHS_SUNSET_AT", "2020-01-01T00:00:00Z"],
  ])("refuses %s=%s by name", (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });

  it("accepts domains, names and addresses that identify mail servers", () => {
    const mail = { EMAIL_DOMAIN: "bücher.example", EMAIL_BOUNCE_DOMAIN: "bounce.example.com", EMAIL_HELO: "mail" };
    expect(readSettings(mail)).toMatchObject(mail);
    for (const EMAIL_HELO of ["[192.0.2.1]", "[IPv6:2001:db8::1]"]) expect(readSettings({ EMAIL_HELO }).EMAIL_HELO).toBe(EMAIL_HELO);
  });

  it("requires master keys for your own database, from one place", () => {
    const DATABASE_URL = "postgres://db/x";
    expect(faultsOf({ DATABASE_URL })).toEqual([
      expect.stringMatching(/^MASTER_KEYS, MASTER_KEYS_FILE or MASTER_KEYS_COMMAND must be set/),
    ]);
    const sources = { MASTER_KEYS: key, MASTER_KEYS_FILE: "/etc/tillpost/keys", MASTER_KEYS_COMMAND: "print-keys" };
    for (const [name, value] of Object.entries(sources))
      expect(readSettings({ DATABASE_URL, [name]: value })).toMatchObject({ [name]: value });
    expect(faultsOf({ DATABASE_URL, ...sources })).toEqual([
      "MASTER_KEYS and MASTER_KEYS_FILE and MASTER_KEYS_COMMAND are set: keep only one of them",
    ]);
    expect(faultsOf({ ...sources, MASTER_KEYS: "" })).toEqual(["MASTER_KEYS_FILE and MASTER_KEYS_COMMAND are set: keep only one of them"]);
  });

  it("accepts the owner's database URL only together with the one that serves", () => {
    const urls = { DATABASE_URL: "postgres://app@db/x", DATABASE_OWNER_URL: "postgres://owner@db/x" };
    expect(faultsOf({ DATABASE_OWNER_URL: urls.DATABASE_OWNER_URL })).toEqual([expect.stringMatching(/^DATABASE_URL must be set/)]);
    expect(readSettings({ ...urls, MASTER_KEYS: key })).toMatchObject(urls);
  });

  it("accepts the S3 settings only together", () => {
    expect(faultsOf({ S3_ENDPOINT: "https://s3.example.com", S3_BUCKET: "shop" })).toEqual([
      expect.stringMatching(/^S3_ACCESS_KEY_ID must be set/),
      expect.stringMatching(/^S3_SECRET_ACCESS_KEY must be set/),
    ]);
  });

  it("accepts the bounce host's certificate and key only together", () => {
    expect(faultsOf({ EMAIL_BOUNCE_TLS_CERT: "/etc/cert.pem" })).toEqual([expect.stringMatching(/^EMAIL_BOUNCE_TLS_KEY must be set/)]);
    expect(faultsOf({ EMAIL_BOUNCE_TLS_KEY: "/etc/key.pem" })).toEqual([expect.stringMatching(/^EMAIL_BOUNCE_TLS_CERT must be set/)]);
  });

  it("doesn't repeat a secret's text in its fault", () => {
    expect(
      faultsOf({ MASTER_KEYS: "hunter2hunter2", DATABASE_URL: "http://user:hunter2hunter2@db/x", METRICS_TOKEN: "hunter2" }).join(),
    ).not.toContain("hunter2");
  });
});

describe("the generated documents", () => {
  it("list every setting and no secret's default", () => {
    for (const name of Object.keys(settingsTable)) {
      expect(settingsMarkdown()).toContain(`\`${name}\``);
      expect(envExample()).toMatch(new RegExp(`^#${name}=`, "m"));
    }
  });
});

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    return (error as SettingsError).faults;
  }
}
