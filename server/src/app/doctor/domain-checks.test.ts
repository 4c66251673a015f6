import { expect, it } from "vitest";
import { keepPlatformDomain } from "#email/domain/keep-platform-domain.ts";
import type { DomainDns } from "#email/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { readSettings } from "../config.ts";
import { checkPlatformDomain } from "./domain-checks.ts";

const { ctx } = await testApp();
const sending = readSettings({ EMAIL_TRANSPORT: "mx" });
const published = new Map<string, string>();
const dns: DomainDns = {
  async resolveTxt(name) {
    const text = published.get(name);
    if (text === undefined) throw Object.assign(new Error("none"), { code: "ENOTFOUND" });
    return [[text]];
  },
  resolveCname: async () => [],
};

it("says nothing while nothing is sent, and says what to do before there is a key", async () => {
  expect(await checkPlatformDomain(ctx, readSettings({}), dns)).toEqual([]);
  expect(await checkPlatformDomain(ctx, sending, dns)).toMatchObject([{ state: "note", fix: expect.stringContaining("EMAIL_DOMAIN") }]);
});

it("lists each record that is still to be published, with its value", async () => {
  const domain = await keepPlatformDomain(ctx);
  const findings = await checkPlatformDomain(ctx, sending, dns);
  expect(findings.map(({ state, fix }) => [state, fix])).toEqual(
    domain?.records.map(({ name, value, purpose }) => [purpose === "dkim" ? "fault" : "note", `Publish TXT ${name} = ${value}`]),
  );
  for (const { name, value } of domain?.records ?? []) published.set(name, value);
  expect(await checkPlatformDomain(ctx, sending, dns)).toMatchObject([{ state: "fine" }]);
});
