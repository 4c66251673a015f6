import { createHash, createHmac } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anchorAudit, chainAudit } from "#audit/index.ts";
import { changeMerchant } from "#identity/index.ts";
import type { Ctx } from "#platform/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { anchorFile } from "../runtime/index.ts";
import { auditAuditLog } from "./audits.ts";

const app = await testApp({ asSuperuser: true });
const { ctx } = app;
const folder = await mkdtemp(join(tmpdir(), "tillpost-anchors-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
let shop: TestTenant;
let last: TestTenant;

beforeAll(async () => {
  [shop, , last] = [await app.tenant(), await app.tenant(), await app.tenant()];
  await rename(ctx, "One", "Two", "Three");
});

/** Renames the shop to each of these and chains the rows. */
async function rename(within: Ctx, ...names: string[]): Promise<void> {
  for (const name of names) await changeMerchant(within, { merchant_id: shop.merchant_id, if_version: null, display_name: name });
  while ((await chainAudit(within)) > 0);
}

class Undo extends Error {}

/** The doctor's report after someone wrote to the database despite all triggers and keys, which is undone again. */
async function faultsAfter(attack: (tx: Ctx["db"], within: Ctx) => Promise<unknown>, anchors = join(folder, "none")): Promise<string> {
  let found = "";
  const undone = ctx.transact(async (tx) => {
    const db = tx as unknown as Ctx["db"];
    const within: Ctx = { ...ctx, db, transact: (work) => work(tx), transactUnclaimed: (work) => work(tx) };
    await runStatement(db, "set local session_replication_role = replica");
    await attack(db, within);
    const findings = await auditAuditLog(within, anchorFile(anchors));
    found = findings.map(({ state, message }) => (state === "fault" ? message : "")).join("\n");
    throw new Undo();
  });
  await expect(undone).rejects.toThrow(Undo);
  return found.trim();
}

const content = "(to_jsonb(a) - 'position' - 'hash' - 'mac' - 'keyed')::text";

/** Chains a merchant's rows again from the first, as well as one can who has no key, and sets the end to fit. */
async function rewriteChain(db: Ctx["db"], merchantId: string, link: (before: Buffer, text: string) => Buffer): Promise<void> {
  const rows = await runStatement<{ id: string; content: string }>(
    db,
    `select id, ${content} as content from audit_log a where merchant_id = ? and position is not null order by position`,
    merchantId,
  );
  await runStatement(db, "update audit_log set position = -position where merchant_id = ? and position is not null", merchantId);
  const placed = "update audit_log set position = ?, hash = ? where merchant_id = ? and id = ?";
  let hash: Buffer = Buffer.alloc(32);
  for (const [index, row] of rows.entries()) {
    hash = link(hash, row.content);
    await runStatement(db, placed, index + 1, hash, merchantId, row.id);
  }
  await runStatement(db, "update audit_chains set position = ?, hash = ? where merchant_id = ?", rows.length, hash, merchantId);
}

const plain = (before: Buffer, text: string) => createHash("sha256").update(before).update(text).digest();
const guessed = (before: Buffer, text: string) => createHmac("sha256", "guessed").update(before).update(text).digest();
const ofShop = "where merchant_id = ?";

/** Takes a merchant and all that is its out of the database. */
async function removeMerchant(db: Ctx["db"], merchantId: string): Promise<void> {
  await runStatement(db, "delete from api_keys where project_id in (select id from projects where merchant_id = ?)", merchantId);
  for (const table of ["audit_log", "audit_chains", "projects"]) await runStatement(db, `delete from ${table} ${ofShop}`, merchantId);
  await runStatement(db, "delete from merchants where id = ?", merchantId);
}

/** Leaves every row, in chains as the previous version linked them. */
async function removeSeals(db: Ctx["db"]): Promise<void> {
  const chains = await runStatement<{ merchant_id: string }>(db, "select merchant_id from audit_chains");
  for (const { merchant_id } of chains) await rewriteChain(db, merchant_id, plain);
  await runStatement(db, "update audit_log set keyed = false, mac = null");
  await runStatement(db, "update audit_chains set number = null, keyed_from = null, mac = null");
  await runStatement(db, "delete from audit_key");
}

const insertedRow = `insert into audit_log (merchant_id, id, actor_kind, actor_id, action, object_type, detail, created_at, mac)
  select merchant_id, 'aud_inserted', actor_kind, actor_id, 'merchant.verified', object_type, detail, created_at, mac from audit_log a
  where merchant_id = ? and position = 2`;

test("doctor --audit finds nothing in a log that only Tillpost wrote", async () => {
  expect(await faultsAfter(async () => {})).toBe("");
});

describe("doctor --audit detects changes by someone who owns the database but not the master keys", () => {
  const attacks: [what: string, found: RegExp, attack: (db: Ctx["db"], within: Ctx) => Promise<unknown>][] = [
    ...([plain, guessed] as const).map((link): (typeof attacks)[number] => [
      `a row was changed and its chain rewritten ${link === plain ? "as the version before did" : "under another key"}`,
      /was changed after it was written/,
      async (db) => {
        await runStatement(db, `update audit_log set detail = '{"forged": true}' ${ofShop} and position = 2`, shop.merchant_id);
        await rewriteChain(db, shop.merchant_id, link);
      },
    ]),
    [
      "the tail was cut and the end moved back",
      /the end of the chain was changed/,
      async (db) => {
        await runStatement(db, `delete from audit_log ${ofShop} and position > 3`, shop.merchant_id);
        const moved =
          "update audit_chains c set position = a.position, hash = a.hash from audit_log a where a.merchant_id = c.merchant_id and a.position = 3";
        await runStatement(db, `${moved} and c.merchant_id = ?`, shop.merchant_id);
      },
    ],
    [
      "a row was removed",
      /row 2 of the chain is missing/,
      (db) => runStatement(db, `delete from audit_log ${ofShop} and position = 2`, shop.merchant_id),
    ],
    [
      "a row was removed and the gap closed",
      /was changed after it was written/,
      async (db) => {
        await runStatement(db, `delete from audit_log ${ofShop} and position = 2`, shop.merchant_id);
        await rewriteChain(db, shop.merchant_id, guessed);
      },
    ],
    ["a merchant was removed", /of 3 chains, number 1 is missing with its merchant/, (db) => removeMerchant(db, shop.merchant_id)],
    [
      "the newest merchant was removed and the count lowered",
      /the number of chains was changed/,
      async (db) => {
        await removeMerchant(db, last.merchant_id);
        await runStatement(db, "update audit_key set chains = chains - 1");
      },
    ],
    [
      "a row was inserted into the chain",
      /was changed after it was written/,
      async (db) => {
        await runStatement(db, insertedRow, shop.merchant_id);
        await runStatement(db, `update audit_log set position = position + 101 ${ofShop} and position > 2`, shop.merchant_id);
        const placed = `update audit_log set position = 3, keyed = true, hash = '\\x00' ${ofShop} and id = 'aud_inserted'`;
        await runStatement(db, placed, shop.merchant_id);
        await rewriteChain(db, shop.merchant_id, guessed);
      },
    ],
    [
      "a row was added for the worker to chain, with another row's seal",
      /aud_inserted was not written by Tillpost/,
      async (db, within) => {
        await runStatement(db, insertedRow, shop.merchant_id);
        expect(await chainAudit(within)).toBe(0);
      },
    ],
    [
      "a row without a seal was added after the version before has gone",
      /older than a minute and not chained/,
      async (db, within) => {
        await runStatement(db, insertedRow, shop.merchant_id);
        await runStatement(db, `update audit_log set mac = null ${ofShop} and id = 'aud_inserted'`, shop.merchant_id);
        app.clock.advance(3_600_000);
        expect(await chainAudit(within)).toBe(0);
        app.clock.advance(-3_600_000);
        await runStatement(db, `update audit_log set created_at = '2026-01-01' ${ofShop} and id = 'aud_inserted'`, shop.merchant_id);
      },
    ],
    [
      "a row of one merchant was copied to another",
      /was not written by Tillpost/,
      (db) =>
        runStatement(
          db,
          `insert into audit_log (merchant_id, id, project_id, livemode, actor_kind, actor_id, action, object_type, object_id, detail, request_id, created_at, mac)
           select ?, id, project_id, livemode, actor_kind, actor_id, action, object_type, object_id, detail, request_id, created_at, mac from audit_log
           where merchant_id = ? and project_id is not null limit 1`,
          last.merchant_id,
          shop.merchant_id,
        ),
    ],
    ["a chain's end was removed", /it has no chain/, (db) => runStatement(db, `delete from audit_chains ${ofShop}`, shop.merchant_id)],
    [
      "the key was removed",
      /its key is missing/,
      async (db, within) => {
        await runStatement(db, "delete from audit_key");
        await runStatement(db, insertedRow, shop.merchant_id);
        await expect(chainAudit(within)).rejects.toThrow("its chains were keyed");
      },
    ],
  ];
  test.each(attacks)("%s", async (_what, found, attack) => {
    expect(await faultsAfter(attack)).toMatch(found);
  });
});

describe("anchors outside the database", () => {
  const lines = () => readFile(join(folder, "audit-anchors.jsonl"), "utf8");
  const entries: { mac: Buffer; position: number; hash: Buffer }[] = [];

  test("are written once a day to an owner-only file and the log, and from the second day on emailed to the operators", async () => {
    const logged: { root?: string }[] = [];
    const log = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const keeper = anchorFile(folder);
    const day = async () => anchorAudit({ ...ctx, log }, keeper);
    expect([await day(), await day(), await anchorAudit(ctx, anchorFile(folder))]).toEqual([true, false, false]);
    entries.push(
      ...(await runStatement<(typeof entries)[number]>(ctx.db, `select mac, position, hash from audit_chains ${ofShop}`, shop.merchant_id)),
    );
    await rename(ctx, "Four", "Five");
    app.clock.advance(24 * 3_600_000);
    expect([await day(), await day()]).toEqual([true, false]);
    const anchors = (await lines())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(anchors).toMatchObject([{ chains: 3 }, { chains: 3, heads: [[shop.merchant_id, expect.any(Number), expect.any(String)]] }]);
    expect(logged.map(({ root }) => root)).toEqual(anchors.map(({ root }) => root));
    const mails = await openNotices(app, "audit_anchored", `mer_${"0".repeat(26)}`);
    expect(mails).toMatchObject([{ root: anchors[1].root, chains: 3 }]);
    expect(await faultsAfter(async () => {}, folder)).toBe("");
  });

  test("detect a database that was restored to an earlier state, including ends and seals", async () => {
    const [before] = entries;
    const found = await faultsAfter(async (db) => {
      await runStatement(db, `delete from audit_log ${ofShop} and position > ?`, shop.merchant_id, before?.position);
      const earlier = `update audit_chains set position = ?, hash = ?, mac = ? ${ofShop}`;
      await runStatement(db, earlier, before?.position, before?.hash, before?.mac, shop.merchant_id);
    }, folder);
    expect(found).toMatch(/the end of the chain is missing, 2 rows/);
  });

  test("detect a log that was stripped of every seal and sealed again", async () => {
    const found = await faultsAfter(async (db, within) => {
      await runStatement(db, `update audit_log set detail = '{"forged": true}' ${ofShop} and position = 2`, shop.merchant_id);
      await removeSeals(db);
      await rename(within, "Six");
    }, folder);
    expect(found).toMatch(/it was replaced/);
    expect(found).toMatch(/is not the one that was anchored/);
  });

  test("are sealed themselves: a changed, a removed and an unreadable one is detected", async () => {
    const whole = await lines();
    const [first = "", second = ""] = whole.trim().split("\n");
    for (const text of [`${first.replace('"rows":', '"rows":9')}\n${second}\n`, `${second}\n`]) {
      await writeFile(join(folder, "audit-anchors.jsonl"), text);
      expect(await faultsAfter(async () => {}, folder)).toMatch(/does not carry the seal/);
    }
    await appendFile(join(folder, "audit-anchors.jsonl"), "{}\n");
    expect(await faultsAfter(async () => {}, folder)).toMatch(/line 2 is not an anchor/);
    await writeFile(join(folder, "audit-anchors.jsonl"), whole);
  });
});

test("a log of the previous version is carried over: its rows are valid under its own rule, and the new chain seals where it ended", async () => {
  const asBefore = async (db: Ctx["db"]) => {
    await removeSeals(db);
    await runStatement(db, "delete from audit_anchors");
  };
  const upgrade = (within: Ctx) => rename(within, "New");
  const carried = await faultsAfter(async (db, within) => {
    await asBefore(db);
    // Written by the version before, and not chained yet.
    await runStatement(db, insertedRow, shop.merchant_id);
    await upgrade(within);
  });
  expect(carried).toBe("");
  const idle = await faultsAfter(async (db, within) => {
    await asBefore(db);
    expect(await chainAudit(within)).toBe(0);
  });
  expect(idle).toBe("");
  for (const merchant of ["shop", "last"] as const) {
    const { merchant_id } = { shop, last }[merchant];
    const rewritten = await faultsAfter(async (db, within) => {
      await asBefore(db);
      await upgrade(within);
      await runStatement(db, `update audit_log set detail = '{"forged": true}' ${ofShop} and position = 2`, merchant_id);
      await rewriteChain(db, merchant_id, plain);
    });
    expect(rewritten).toMatch(/was changed/);
  }
});

test("the previous version can't chain rows while both run", async () => {
  await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, display_name: "Waits" });
  const chain = `update audit_log set position = 99, hash = '\\x00' ${ofShop} and position is null`;
  const chained = runStatement(ctx.db, chain, shop.merchant_id);
  await expect(chained).rejects.toThrow("append-only");
  expect(await chainAudit(ctx)).toBe(1);
});
