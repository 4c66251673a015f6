import { expect, test } from "vitest";
import { readSettings } from "../config.ts";
import { checkEgress } from "./checks.ts";
import { checkMail, type MailProbes } from "./mail-checks.ts";

const well: MailProbes = {
  greets: async () => ({ greets: true }),
  mx: async (domain) => (domain === "bounce.acme.example" ? ["mail.acme.example"] : ["mx.example.com"]),
  addresses: async () => ["203.0.113.7"],
  names: async () => ["mail.acme.example"],
  texts: async () => ["v=spf1 a:mail.acme.example -all"],
  relayFault: async () => null,
};
const nothing = () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
const mx = {
  DOCTOR_MAIL_DOMAIN: "known.example",
  EMAIL_TRANSPORT: "mx",
  EMAIL_HELO: "mail.acme.example",
  EMAIL_BOUNCE_DOMAIN: "bounce.acme.example",
};
const relay = { EMAIL_TRANSPORT: "relay", EMAIL_RELAY_URL: "smtps://u:secret@relay.example", EMAIL_BOUNCE_DOMAIN: "bounce.acme.example" };

function look(env: Record<string, string>, probes: Partial<MailProbes> = {}) {
  return checkMail(readSettings(env), { isRunning: true, probes: { ...well, ...probes } });
}

test.each([
  ["direct delivery", mx],
  ["a relay", relay],
])("%s that works has no fault", async (_what, env) => {
  const findings = await look(env);
  expect(findings.map((one) => one.state)).toEqual(findings.map(() => "fine"));
});

test.each([
  ["direct delivery", mx, "Publish TXT bounce.acme.example = v=spf1 a:mail.acme.example -all"],
  ["a relay", relay, "Publish at bounce.acme.example the SPF record"],
])("%s without an SPF record is worth a note", async (_what, env, fix) => {
  const open = (await look({ ...env, EMAIL_DOMAIN: "acme.example" }, { texts: nothing })).filter((one) => one.state !== "fine");
  expect(open.map((one) => one.state)).toEqual(["note", "note"]);
  expect(open[1]?.fix).toContain(fix);
});

test("the outbox is worth a note and queries no one", async () => {
  expect(await look({}, { mx: nothing, greets: nothing })).toMatchObject([
    { state: "note", message: expect.stringContaining("nothing is sent") },
  ]);
});

test.each([
  ["Corner Books <no-reply@corner.example>", null],
  ['"no-reply@corner.example" <no-reply@corner.example>', null],
  ["shop.example 24 <no-reply@shop.example>", null],
  ["support@bank.com via Shop <no-reply@corner.example>", "fault"],
  ['"support@bank.com" <no-reply@corner.example>', "fault"],
  ["no-reply", "fault"],
  ['"a@b.example", no-reply@corner.example', "fault"],
  ["https://bank.com <no-reply@corner.example>", "note"],
  ["Call +49 170 1234567 <no-reply@corner.example>", "note"],
])("the sender %s: %s", async (EMAIL_FROM, state) => {
  for (const env of [{}, relay, mx]) {
    const found = (await look({ ...env, EMAIL_FROM })).filter(({ message }) => message.includes("EMAIL_FROM"));
    expect(found.map((one) => one.state)).toEqual(state === null ? [] : [state]);
  }
});

test.each([
  [
    "a closed port 25",
    mx,
    {
      greets: async (_host: string, port: number) =>
        port === 25 ? { greets: false as const, reason: "no answer" } : { greets: true as const },
    },
    "have it opened",
  ],
  ["no name servers", mx, { mx: nothing }, "resolver"],
  ["a short name", { ...mx, EMAIL_HELO: "box1" }, {}, "Set EMAIL_HELO"],
  ["a name without an address", mx, { addresses: nothing }, "Publish an A record"],
  ["an address without a name", mx, { names: nothing }, "PTR record"],
  ["an address with another name", mx, { names: async () => ["vps-7.host.example"] }, "PTR record"],
  [
    "a bounce domain that leads nowhere",
    mx,
    { mx: async (domain: string) => (domain.startsWith("bounce") ? nothing() : ["mx.example.com"]) },
    "Publish an MX record",
  ],
  [
    "a bounce host that is away",
    mx,
    {
      greets: async (_host: string, port: number) =>
        port === 25 ? { greets: true as const } : { greets: false as const, reason: "ECONNREFUSED" },
    },
    "Start Tillpost",
  ],
  ["two SPF records", mx, { texts: async () => ["v=spf1 -all", "v=spf1 a -all"] }, "Merge them into one"],
  ["a relay that refuses", relay, { relayFault: async () => "535 5.7.8 Bad credentials" }, "EMAIL_RELAY_URL"],
])("%s is a fault with a remedy", async (_what, env, probes, fix) => {
  const faults = (await look(env, probes)).filter((one) => one.state === "fault");
  expect(faults.map((one) => one.fix).join(" ")).toContain(fix);
  expect(JSON.stringify(faults)).not.toContain("secret");
});

test("only hosts that the operator specified are queried", async () => {
  const lookups: string[] = [];
  const probes = {
    mx: async (domain: string) => {
      lookups.push(domain);
      return [];
    },
    greets: async (host: string) => {
      lookups.push(host);
      return { greets: true as const };
    },
  };
  const { DOCTOR_MAIL_DOMAIN: _named, EMAIL_BOUNCE_DOMAIN: _bounces, ...unnamed } = mx;
  const findings = await look(unnamed, probes);
  expect(lookups).toEqual([]);
  expect(findings).toContainEqual(expect.objectContaining({ state: "note", fix: expect.stringContaining("DOCTOR_MAIL_DOMAIN") }));
  expect(await checkEgress(readSettings({}))).toMatchObject([{ state: "note", fix: expect.stringContaining("DOCTOR_HTTPS_HOST") }]);
});
