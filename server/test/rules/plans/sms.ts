import { expect, test } from "vitest";
import { listQueues } from "#http/dashboard/sql.ts";
import { type Tenant, type Tx, updatePlanning } from "#platform/index.ts";
import { listUnsentOwners } from "#sms/inbound/former-owners.sql.ts";
import { countAnswers } from "#sms/inbound/sql.ts";
import { listContents, listFullSms, listNewestSent, listSmsRows, listThreadRows } from "#sms/read/sql.ts";
import { deleteEarly, listPartsById, listSettling, updateParts } from "#sms/receipts/sql.ts";
import { listParts, lockSms, updateSms } from "#sms/rows.sql.ts";
import { updateAttempts } from "#sms/sending/attempts.sql.ts";
import { updateClaimed, updateStarted } from "#sms/sending/claim.sql.ts";
import type { PartRow, SmsRow } from "#sms/shapes.ts";
import { partStates, smsStates } from "#sms/states.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { insertManyInbound, insertManySms } from "#test/support/messages/many-sms.sql.ts";
import { onClient, plansOf, useProductionClock } from "./plans.sql.ts";

/** What runs for each message, report or page. */
interface Hot {
  name: string;
  indexes: string[];
  /** The maximum number of pages that it may touch, however many messages are stored. */
  pages: number;
  run(tx: Tx): PromiseLike<unknown>;
}

const number = "+14155550100";
const contact = "+14152000007";
const provider = "smpp:bench";
const seededAtOnce = 10_000;
const together = 20;
const unnamed = { provider, code: null, message: null, provider_code: null, segments_sent: 1 };

/** Tests that what runs for SMS is read by its index, and touches as many pages with so many rows stored as with few. */
export async function testSmsPlans(rows: number): Promise<void> {
  const app = await testApp();
  const { project_id } = await app.tenant({ livemode: true });
  const tenant = { project_id, livemode: true };
  const places = Array.from({ length: together }, (_none, n) => Math.floor(((n + 0.5) * rows) / together));

  test(`statements of SMS with ${rows} stored touch few pages, by their indexes`, { timeout: 3_600_000 }, async () => {
    await app.asSuperuser(async (db) => {
      for (let from = 1; from <= rows; from += seededAtOnce)
        await insertManySms(db, tenant, {
          from,
          to: Math.min(rows, from + seededAtOnce - 1),
          status: "delivered",
          sender: number,
          now: new Date(),
        });
      await insertManyInbound(db, tenant, { count: rows / 10, contacts: rows / 50, number, now: new Date() });
    });
    const faults = await onClient(app.superuserUrl, async (client) => {
      await useProductionClock(client);
      const planOf = async (run: (tx: Tx) => Promise<unknown>) => (await plansOf(client, run)).at(-1);
      const found: string[] = [];
      // Operations set their planning, as they do in production.
      for (const hot of operationsAt(tenant, places))
        found.push(...faultsIn(hot, await planOf(async (tx) => [await updatePlanning(tx), await hot.run(tx)])));
      for (const hot of readsAt(tenant, places)) found.push(...faultsIn(hot, await planOf(async (tx) => hot.run(tx))));
      return found;
    });
    expect(faults).toEqual([]);
  });
}

function faultsIn({ name, indexes, pages }: Hot, plan: Awaited<ReturnType<typeof plansOf>>[number] | undefined): string[] {
  const { blocks = Number.POSITIVE_INFINITY, ms = 0, indexes: read = [] } = plan ?? {};
  console.log(`${name}: ${blocks} pages, ${ms.toFixed(1)} ms, ${[...new Set(read)].join(" ")}`);
  const missing = indexes
    .filter((index) => !read.includes(index))
    .map((index) => `${name} is not read by ${index}, but by ${read.join(", ") || "none"}`);
  return blocks > pages ? [...missing, `${name} touches ${blocks} pages`] : missing;
}

const idOf = (n: number) => `sms_${String(n).padStart(26, "0")}`;

function operationsAt(tenant: Tenant, places: readonly number[]): Hot[] {
  const keys = places.map((n) => ({ ...tenant, id: idOf(n) }));
  const person = { receiver: "US", sender: number, recipient: contact };
  const candidates = keys.map((key) => ({ ...key, ...person, is_answer: false, quiet_kind: null }));
  const leased = keys.map((key) => ({ ...key, lease: "lse_1" }));
  const attempts = keys.map(({ id, ...key }) => ({ ...key, sms_id: id, attempt: 1, result: "accepted" as const, ...unnamed }));
  const ids = places.map((n, place) => ({ place, provider, folded: `r${n}` }));
  const parts = places.map((n): PartRow => {
    const part = { ...tenant, sms_id: idOf(n), place: 0, provider, provider_message_id: `r${n}`, created_at: new Date() };
    return { ...part, status: "delivered", code: null, provider_code: null, reported_at: new Date(), occurred_at: new Date() };
  });
  const since = new Date(Date.now() - 72 * 3_600_000);
  return [
    {
      name: "claiming",
      indexes: ["sms_pkey"],
      pages: 200,
      run: (tx) => updateClaimed(tx, { candidates, lease: "lse_1", durationMs: 45_000 }),
    },
    { name: "marking as begun", indexes: ["sms_pkey"], pages: 200, run: (tx) => updateStarted(tx, leased) },
    { name: "holding", indexes: ["sms_pkey"], pages: 200, run: (tx) => lockSms(tx, keys) },
    { name: "writing", indexes: ["sms_pkey"], pages: 200, run: (tx) => updateSms(tx, keys as SmsRow[], smsStates.moves) },
    { name: "ending attempts", indexes: ["sms_attempts_pkey"], pages: 200, run: (tx) => updateAttempts(tx, attempts) },
    { name: "what reports are about", indexes: ["sms_parts_by_id"], pages: 200, run: (tx) => listPartsById(tx, ids, { since, most: 20 }) },
    { name: "writing reports", indexes: ["sms_parts_pkey"], pages: 200, run: (tx) => updateParts(tx, parts, partStates.moves) },
    { name: "parts", indexes: ["sms_parts_pkey"], pages: 200, run: (tx) => listParts(tx, keys) },
    { name: "what is to be judged", indexes: ["sms_settling"], pages: 100, run: (tx) => listSettling(tx, { limit: 100 }) },
    {
      name: "early reports",
      indexes: ["sms_early_receipts_by_id"],
      pages: 100,
      run: (tx) => deleteEarly(tx, { providers: [provider], folded: ["r1", "r2"] }),
    },
  ];
}

function readsAt(tenant: Tenant, places: readonly number[]): Hot[] {
  const keys = places.map((n) => ({ ...tenant, id: idOf(n) }));
  const ids = keys.map(({ id }) => id);
  const cut = { limit: 20 };
  const list = (filters: Parameters<typeof listSmsRows>[2]["filters"]) => (tx: Tx) => listSmsRows(tx, tenant, { filters, cut });
  const since = new Date(Date.now() - 86_400_000);
  return [
    { name: "the lengths of the queues", indexes: ["sms_due", "sms_leased", "sms_suspect"], pages: 300, run: listQueues },
    { name: "messages by id", indexes: ["sms_pkey", "sms_bodies_pkey", "sms_parts_pkey"], pages: 400, run: (tx) => listFullSms(tx, keys) },
    { name: "texts of a page", indexes: ["sms_bodies_pkey", "sms_parts_pkey"], pages: 400, run: (tx) => listContents(tx, tenant, ids) },
    { name: "a page", indexes: ["sms_pkey"], pages: 100, run: list({}) },
    { name: "a page of a status", indexes: [], pages: 100, run: list({ status: ["delivered"] }) },
    { name: "a page to a recipient", indexes: ["sms_by_recipient"], pages: 100, run: list({ to: [contact] }) },
    { name: "a page of threads", indexes: ["sms_by_status"], pages: 1_000, run: (tx) => listThreadRows(tx, tenant, { filters: {}, cut }) },
    {
      name: "a thread's last answer",
      indexes: ["sms_by_recipient"],
      pages: 100,
      run: (tx) => listNewestSent(tx, tenant, [{ contact, number }]),
    },
    {
      name: "answers of late",
      indexes: ["sms_by_recipient"],
      pages: 100,
      run: (tx) => countAnswers(tx, tenant, { sender: number, recipient: contact, since, recently: new Date() }),
    },
    {
      name: "who still sends to a contact",
      indexes: ["sms_by_recipient"],
      pages: 100,
      run: (tx) => listUnsentOwners(tx, { sender: number, recipient: contact }),
    },
  ];
}
