import { createPublicKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { listEventsOf } from "#events/sql.ts";
import { ownProject } from "#platform/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { stepUntil } from "#test/support/time/eventually.ts";
import { createDomain } from "./create-domain.ts";
import { deleteDomain, findDomain, listDomains } from "./find-domain.ts";
import { findSender } from "./find-sender.ts";
import { findPlatformDomain, keepPlatformDomain } from "./keep-platform-domain.ts";
import type { DomainDns } from "./look-up.ts";

import type { DomainRow } from "./sql.ts";
import { recheckDomains, verifyDomain } from "./verify-domain.ts";

const app = await testApp();
const { ctx } = app;
const [mine, stranger] = await Promise.all([app.tenant({ livemode: true }), app.tenant({ livemode: true })]);
const hourMs = 3_600_000;
let count = 0;
const newName = () => `shop-${(count += 1)}.example`;

/** A name server with the given records; `down` never responds. */
function zone() {
  const texts = new Map<string, string[][]>();
  const names = new Map<string, string[]>();
  const missing = (name: string) => Object.assign(new Error(`no ${name}`), { code: "ENOTFOUND" });
  const state = { down: false };
  const answer = <T>(found: T | undefined, name: string): Promise<T> =>
    state.down
      ? Promise.reject(Object.assign(new Error("servfail"), { code: "ESERVFAIL" }))
      : found === undefined
        ? Promise.reject(missing(name))
        : Promise.resolve(found);
  const dns: DomainDns = { resolveTxt: (name) => answer(texts.get(name), name), resolveCname: (name) => answer(names.get(name), name) };
  return {
    dns,
    state,
    clear: () => texts.clear(),
    publish(row: DomainRow, purposes: string[] = ["verification", "dkim", "spf", "dmarc"]) {
      for (const { type, name, value } of row.records.filter((one) => purposes.includes(one.purpose))) {
        if (type === "CNAME") names.set(name, [value]);
        // Long values reach DNS in pieces.
        else texts.set(name, [...(texts.get(name) ?? []), value.match(/.{1,200}/g) ?? []]);
      }
    },
  };
}

const statuses = (row: DomainRow) => Object.fromEntries(row.records.map(({ purpose, status }) => [purpose, status]));
const eventsOf = async (tenant: TestTenant, id: string) =>
  (await listEventsOf(ctx.db, tenant, { object_id: id, after: null, limit: 10 })).map(({ event }) => event);

describe("a domain", () => {
  test("has its own key pair of 2048 bits, its private half sealed and never shown, and lists every record to publish", async () => {
    const { makeKeys: _shared, ...mail } = ctx.mail;
    const within = { ...ctx, mail };
    const name = newName();
    const row = await createDomain(within, mine, { name: name.toUpperCase() });
    expect(row).toMatchObject({ name, status: "pending", verified_at: null });
    expect(row.records.map(({ purpose, type, name: host }) => [purpose, type, host.replace(/^tp[0-9a-z]{10}\./, "tp….")])).toEqual([
      ["verification", "TXT", `_tillpost.${name}`],
      ["dkim", "TXT", `tp…._domainkey.${name}`],
      ["spf", "TXT", name],
      ["dmarc", "TXT", `_dmarc.${name}`],
    ]);
    const dkim = row.records[1]?.value ?? "";
    const der = Buffer.from(/^v=DKIM1; k=rsa; p=(.+)$/.exec(dkim)?.[1] ?? "", "base64");
    expect(createPublicKey({ key: der, format: "der", type: "spki" }).asymmetricKeyDetails?.modulusLength).toBe(2048);
    const other = await createDomain(within, mine, { name: newName() });
    expect(other.records[1]?.value).toMatch(/^v=DKIM1; k=rsa; p=./);
    expect(other.records[1]?.value).not.toBe(dkim);
    expect(
      JSON.stringify([row, await findDomain(ctx, mine, row.id), await listDomains(ctx, mine, { limit: 100, filters: {} })]),
    ).not.toMatch(/private_key|v1\.1\./);
  });

  test("requires a return-path record if bounces are accepted", async () => {
    const within = { ...ctx, mail: { ...ctx.mail, bounceDomain: "bounce.tillpost.example" } };
    const row = await createDomain(within, mine, { name: newName() });
    expect(row.records.at(-1)).toMatchObject({
      purpose: "return_path",
      type: "CNAME",
      name: `bounces.${row.name}`,
      value: "bounce.tillpost.example",
    });
    const dns = zone();
    dns.publish(row, ["verification", "dkim", "return_path"]);
    await verifyDomain(ctx, mine, { id: row.id, dns: dns.dns });
    expect((await findSender(ctx, mine, `a@${row.name}`)).bounce_domain).toBe(`bounces.${row.name}`);
  });

  test.each([["nonsense"], ["192.0.2.1"], ["https://a.example"], ["tillpost.example"], ["shop.tillpost.example"], ["a..example"]])(
    "is refused when its name is %s",
    async (name) => {
      await expect(createDomain(ctx, mine, { name })).rejects.toMatchObject({ code: "parameter_invalid", extras: { param: "name" } });
    },
  );

  test("is registered once per project, and its existing id is returned", async () => {
    const row = await createDomain(ctx, mine, { name: newName() });
    await expect(createDomain(ctx, mine, { name: row.name })).rejects.toMatchObject({
      code: "parameter_invalid",
      extras: { fields: { existing_domain_id: row.id } },
    });
  });

  test("is verified by its token and key together, and reports it once", async () => {
    const row = await createDomain(ctx, mine, { name: newName() });
    const server = zone();
    const look = () => verifyDomain(ctx, mine, { id: row.id, dns: server.dns });
    expect(statuses(await look())).toEqual({ verification: "failed", dkim: "failed", spf: "failed", dmarc: "failed" });
    server.publish(row, ["verification"]);
    expect(await look()).toMatchObject({ status: "pending" });
    server.publish(row, ["dkim"]);
    const verified = await look();
    expect(verified).toMatchObject({ status: "verified", verified_at: ctx.now() });
    expect(statuses(verified)).toEqual({ verification: "verified", dkim: "verified", spf: "failed", dmarc: "failed" });
    server.publish(row, ["spf", "dmarc"]);
    expect(statuses(await look())).toEqual({ verification: "verified", dkim: "verified", spf: "verified", dmarc: "verified" });
    expect(await eventsOf(mine, row.id)).toEqual(["domain.verified"]);
  });

  test("is verified once by many concurrent checks", async () => {
    const row = await createDomain(ctx, mine, { name: newName() });
    const server = zone();
    server.publish(row);
    const seen = await Promise.all(Array.from({ length: 8 }, () => verifyDomain(ctx, mine, { id: row.id, dns: server.dns })));
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(["verified"]));
    expect(await eventsOf(mine, row.id)).toEqual(["domain.verified"]);
  });

  test("retains what was found when the name server is down", async () => {
    const row = await createDomain(ctx, mine, { name: newName() });
    const server = zone();
    server.publish(row);
    await verifyDomain(ctx, mine, { id: row.id, dns: server.dns });
    server.state.down = true;
    expect(await verifyDomain(ctx, mine, { id: row.id, dns: server.dns })).toMatchObject({ status: "verified", missing_since: null });
  });
});

describe("the worker", () => {
  test("checks ever more slowly, stops after three days, and starts again on request", async () => {
    const row = await createDomain(ctx, stranger, { name: newName() });
    const server = zone();
    const pauses: number[] = [];
    let seen = row;
    const step = async () => {
      const due = seen.next_check_at as Date;
      pauses.push(Math.round((due.getTime() - ctx.now().getTime()) / 60_000));
      app.clock.set(due);
      await recheckDomains(ctx, server.dns);
      seen = await findDomain(ctx, stranger, row.id);
    };
    await stepUntil("checks have ended", { holds: () => seen.status !== "pending", step, atMost: 100 });
    expect(pauses.slice(0, 11)).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 128, 240, 240]);
    expect(seen).toMatchObject({ status: "failed", next_check_at: null });
    const hours = (ctx.now().getTime() - row.created_at.getTime()) / hourMs;
    expect(hours).toBeGreaterThanOrEqual(72);
    expect(hours).toBeLessThan(76);
    expect(await verifyDomain(ctx, stranger, { id: row.id, dns: server.dns })).toMatchObject({
      status: "pending",
      next_check_at: expect.any(Date),
    });
    server.publish(row);
    expect(await verifyDomain(ctx, stranger, { id: row.id, dns: server.dns })).toMatchObject({ status: "verified" });
    expect(await eventsOf(stranger, row.id)).toEqual(["domain.verified", "domain.failed"]);
  });

  test("lets a verified domain send for three days after its records disappeared, then no longer", async () => {
    const row = await createDomain(ctx, stranger, { name: newName() });
    const server = zone();
    server.publish(row);
    await verifyDomain(ctx, stranger, { id: row.id, dns: server.dns });
    const sends = async () => (await findSender(ctx, stranger, `a@${row.name}`)).allowed;
    server.clear();
    app.clock.advance(12 * hourMs);
    await recheckDomains(ctx, server.dns);
    expect(await findDomain(ctx, stranger, row.id)).toMatchObject({ status: "verified", missing_since: ctx.now() });
    app.clock.advance(71 * hourMs);
    await recheckDomains(ctx, server.dns);
    expect(await sends()).toBe(true);
    app.clock.advance(hourMs);
    await recheckDomains(ctx, server.dns);
    expect(await sends()).toBe(false);
    expect(await eventsOf(stranger, row.id)).toEqual(["domain.failed", "domain.verified"]);
    expect((await listNotices(ctx.db, "domain_lost")).map(({ recipient }) => recipient)).toContain(stranger.project_id);
  });

  test("checks every other domain if the result of one can't be stored", async () => {
    const rows = [await createDomain(ctx, stranger, { name: newName() }), await createDomain(ctx, stranger, { name: newName() })];
    const server = zone();
    for (const row of rows) server.publish(row);
    const ids = rows.map(({ id }) => id);
    const allow = await refuseRows(app, "events", { ids: ids.slice(0, 1), column: "object_id", on: "insert" });
    app.clock.advance(60_000);
    for (let pass = 0; pass < 3; pass += 1) await recheckDomains(ctx, server.dns);
    expect(await Promise.all(ids.map(async (id) => (await findDomain(ctx, stranger, id)).status))).toEqual(["pending", "verified"]);
    await allow();
  });

  test("shares the work: no other worker takes what one took", async () => {
    const tenant = await app.tenant({ livemode: true });
    const names = await Promise.all(Array.from({ length: 4 }, () => createDomain(ctx, tenant, { name: newName() })));
    app.clock.advance(200 * hourMs);
    const lookups: string[] = [];
    const counting: DomainDns = {
      resolveTxt: async (name) => {
        if (name.startsWith("_tillpost.")) lookups.push(name);
        throw Object.assign(new Error("none"), { code: "ENODATA" });
      },
      resolveCname: async () => [],
    };
    await Promise.all([recheckDomains(ctx, counting), recheckDomains(ctx, counting), recheckDomains(ctx, counting)]);
    for (const { name } of names) expect(lookups.filter((host) => host === `_tillpost.${name}`)).toHaveLength(1);
  });
});

describe("who may send", () => {
  test("in LIVE: only the project that verified the domain by its own token, also from subdomains", async () => {
    const row = await createDomain(ctx, mine, { name: newName() });
    const theirs = await createDomain(ctx, stranger, { name: row.name });
    const server = zone();
    server.publish(row);
    await verifyDomain(ctx, mine, { id: row.id, dns: server.dns });
    await verifyDomain(ctx, stranger, { id: theirs.id, dns: server.dns });
    const may = async (tenant: TestTenant, address: string) => (await findSender(ctx, tenant, address)).allowed;
    expect(await may(mine, `Shop <a@${row.name}>`)).toBe(true);
    expect(await may(mine, `a@${row.name.toUpperCase()}`)).toBe(true);
    expect(await may(mine, `a@news.${row.name}`)).toBe(true);
    expect(await may(stranger, `a@${row.name}`)).toBe(false);
    for (const other of [`a@x${row.name}`, `a@example`, `a@${row.name}.evil.example`, `a@${row.name}, b@other.example`, "nonsense"]) {
      expect(await may(mine, other)).toBe(false);
    }
    const test = { project_id: mine.project_id, livemode: false };
    expect((await findSender(ctx, test, "a@anything.example")).allowed).toBe(true);
    expect((await findSender(ctx, { ...test, livemode: true }, "a@anything.example")).allowed).toBe(false);
    await deleteDomain(ctx, mine, row.id);
    expect(await may(mine, `a@${row.name}`)).toBe(false);
  });

  test("anyone can use the platform's domain, signed with its key, but not its own sender", async () => {
    expect(await findPlatformDomain(ctx)).toBeNull();
    expect(await findSender(ctx, mine, "shop@tillpost.example")).toEqual({ allowed: true, dkim: null, bounce_domain: null, links: null });
    const made = await keepPlatformDomain(ctx);
    expect(await keepPlatformDomain(ctx)).toEqual(made);
    expect(made?.records.map(({ purpose }) => purpose)).toEqual(["dkim", "dmarc"]);
    const server = zone();
    const look = () => verifyDomain(ctx, ownProject, { id: made?.id ?? "", dns: server.dns });
    expect(await look()).toMatchObject({ status: "pending" });
    server.publish(made as DomainRow);
    expect(await look()).toMatchObject({ status: "verified" });
    const sender = await findSender(ctx, mine, "shop@tillpost.example");
    expect(sender).toMatchObject({ allowed: true, dkim: { domain: "tillpost.example" } });
    expect(sender.dkim?.key.asymmetricKeyType).toBe("rsa");
    expect((await findSender(ctx, mine, "No-Reply@Tillpost.example")).allowed).toBe(false);
    expect((await findSender(ctx, ownProject, "no-reply@tillpost.example")).allowed).toBe(true);
    expect((await findSender(ctx, mine, "a@under.tillpost.example")).allowed).toBe(false);
  });

  test("a domain signs with its own key, also for messages beyond ASCII", async () => {
    const row = await createDomain(ctx, mine, { name: "bücher-laden.example" });
    expect(row.name).toBe("xn--bcher-laden-thb.example");
    const server = zone();
    server.publish(row);
    await verifyDomain(ctx, mine, { id: row.id, dns: server.dns });
    const { allowed, dkim } = await findSender(ctx, mine, "Laden <post@BÜCHER-laden.example>");
    expect({ allowed, domain: dkim?.domain }).toEqual({ allowed: true, domain: row.name });
    expect(row.records.find(({ purpose }) => purpose === "dkim")?.name).toBe(`${dkim?.selector}._domainkey.${row.name}`);
  });

  test("in TEST a name under .test counts as published without DNS", async () => {
    const tenant = await app.tenant();
    const dns = { resolveTxt: () => Promise.reject(new Error("asked")), resolveCname: () => Promise.reject(new Error("asked")) };
    const good = await createDomain(ctx, tenant, { name: "shop.test" });
    expect(await verifyDomain(ctx, tenant, { id: good.id, dns })).toMatchObject({ status: "verified" });
    const bad = await createDomain(ctx, tenant, { name: "missing.shop.test" });
    expect(await verifyDomain(ctx, tenant, { id: bad.id, dns })).toMatchObject({ status: "pending" });
  });
});

test("another tenant's domain doesn't exist", async () => {
  const row = await createDomain(ctx, mine, { name: newName() });
  for (const tenant of [stranger, { project_id: mine.project_id, livemode: false }]) {
    await expect(findDomain(ctx, tenant, row.id)).rejects.toMatchObject({ code: "resource_missing" });
    await expect(verifyDomain(ctx, tenant, { id: row.id })).rejects.toMatchObject({ code: "resource_missing" });
    await expect(deleteDomain(ctx, tenant, row.id)).rejects.toMatchObject({ code: "resource_missing" });
    await expect(listDomains(ctx, tenant, { limit: 1, starting_after: row.id, filters: {} })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
  }
});
