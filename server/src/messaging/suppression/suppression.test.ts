import { describe, expect, test } from "vitest";
import { emailChannel } from "#email/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { addSuppression } from "./add-suppression.ts";
import { createSuppression } from "./create-suppression.ts";
import { deleteExpiredSuppressions, deleteSuppression } from "./delete-suppression.ts";
import { findSuppressed } from "./find-suppressed.ts";
import { findSuppression, listSuppressions } from "./find-suppression.ts";

const statements: string[] = [];
const app = await testApp({ probe: (text) => void statements.push(text) });
const { ctx } = app;
const tenant = await app.tenant({ livemode: true });
const dayMs = 86_400_000;
let count = 0;
const newAddress = () => `somebody-${(count += 1)}@a.example`;
const add = (address: string, reason: string, expires_at?: Date | null) =>
  ctx.transact((tx) =>
    addSuppression(tx, ctx, {
      tenant,
      channel: emailChannel,
      address,
      reason,
      source_id: `em_${reason}`,
      ...(expires_at === undefined ? {} : { expires_at }),
    }),
  );
const reasonOf = async (address: string) =>
  (await findSuppressed(ctx.db, tenant, { channel: emailChannel, addresses: [address] })).get(address)?.reason ?? null;

describe("adding again", () => {
  const order = ["bounce", "manual", "unsubscribe", "complaint"];
  test.each(order.flatMap((first) => order.map((second) => [first, second] as const)))(
    "%s, then %s: the stronger one remains",
    async (first, second) => {
      const address = newAddress();
      const one = await add(address, first);
      const two = await add(address.toUpperCase(), second);
      const stronger = order[Math.max(order.indexOf(first), order.indexOf(second))];
      expect(two.suppression).toMatchObject({ id: one.suppression.id, address, reason: stronger, source_id: `em_${stronger}` });
      expect(two.changed).toBe(order.indexOf(second) > order.indexOf(first));
      expect(await reasonOf(address)).toBe(stronger);
    },
  );

  test("ends a bounce after ninety days, later if it bounces again, and nothing else automatically", async () => {
    const [bounced, complained] = [newAddress(), newAddress()];
    const first = await add(bounced, "bounce");
    await add(complained, "complaint");
    expect(first.suppression.expires_at).toEqual(new Date(ctx.now().getTime() + 90 * dayMs));
    app.clock.advance(30 * dayMs);
    expect((await add(bounced, "bounce")).suppression.expires_at).toEqual(new Date(ctx.now().getTime() + 90 * dayMs));
    app.clock.advance(90 * dayMs - 1);
    expect([await reasonOf(bounced), await reasonOf(complained)]).toEqual(["bounce", "complaint"]);
    app.clock.advance(1);
    expect([await reasonOf(bounced), await reasonOf(complained)]).toEqual([null, "complaint"]);
    await expect(findSuppression(ctx, tenant, { channel: emailChannel, id: bounced })).rejects.toMatchObject({ code: "resource_missing" });
    app.clock.advance(2 * dayMs);
    await deleteExpiredSuppressions(ctx);
    expect(await deleteExpiredSuppressions(ctx)).toBe(0);
  });

  test("what has ended is replaced by anything, including a weaker reason", async () => {
    const address = newAddress();
    await add(address, "complaint", new Date(ctx.now().getTime() + 1_000));
    app.clock.advance(1_000);
    expect(await add(address, "bounce")).toMatchObject({ changed: true, suppression: { reason: "bounce" } });
  });

  test("many times concurrently creates one row, the strongest", async () => {
    const address = newAddress();
    const made = await Promise.all(
      ["bounce", "complaint", "manual", "unsubscribe", "bounce", "complaint"].map((reason) => add(address, reason)),
    );
    expect(new Set(made.map(({ suppression }) => suppression.id))).toHaveProperty("size", 1);
    expect(await reasonOf(address)).toBe("complaint");
  });
});

describe("findSuppressed", () => {
  test("answers for fifty addresses in one statement, keyed as they were written", async () => {
    const addresses = Array.from({ length: 50 }, newAddress);
    await Promise.all(addresses.slice(0, 20).map((address) => add(address, "manual")));
    const queried = addresses.map((address) => address.replace("somebody", "SomeBody"));
    statements.length = 0;
    const found = await findSuppressed(ctx.db, tenant, { channel: emailChannel, addresses: queried });
    expect(statements).toHaveLength(1);
    expect([...found.keys()]).toEqual(queried.slice(0, 20));
    expect(await findSuppressed(ctx.db, tenant, { channel: emailChannel, addresses: [] })).toEqual(new Map());
    expect(statements).toHaveLength(1);
  });

  test("keeps projects, environments and channels apart", async () => {
    const address = newAddress();
    await add(address, "manual");
    const ask = (of: { project_id: string; livemode: boolean }, channel: "email" | "sms") =>
      findSuppressed(ctx.db, of, { channel: ctx.channels.named(channel), addresses: [address] });
    expect((await ask(tenant, "email")).size).toBe(1);
    for (const found of [
      await ask({ ...tenant, livemode: false }, "email"),
      await ask(await app.tenant({ livemode: true }), "email"),
      await ask(tenant, "sms"),
    ]) {
      expect(found.size).toBe(0);
    }
  });
});

describe("added manually", () => {
  test("is found by id and by address, listed newest first by filters, and removed", async () => {
    const other = await app.tenant();
    const made = [];
    for (const [address, reason] of [["A@a.example"], ["b@a.example", "complaint"], ["c@a.example"]] as const) {
      made.push(await createSuppression(ctx, other, { channel: emailChannel, address, ...(reason === undefined ? {} : { reason }) }));
    }
    const [a, b, c] = made.map(({ id }) => id);
    expect(await findSuppression(ctx, other, { channel: emailChannel, id: a ?? "" })).toMatchObject({
      address: "a@a.example",
      reason: "manual",
      channel: "email",
    });
    expect(await findSuppression(ctx, other, { channel: emailChannel, id: "A@A.example" })).toMatchObject({ id: a });
    const list = async (given: object) => {
      const { rows, has_more } = await listSuppressions(ctx, other, { limit: 2, filters: {}, ...given });
      return [rows.map(({ id }) => id), has_more];
    };
    expect(await list({})).toEqual([[c, b], true]);
    expect(await list({ starting_after: b })).toEqual([[a], false]);
    expect(await list({ ending_before: a, limit: 1 })).toEqual([[b], true]);
    expect(await list({ filters: { reason: ["complaint"] } })).toEqual([[b], false]);
    expect(await list({ filters: { address: ["A@a.example"] } })).toEqual([[a], false]);
    expect(await list({ filters: { channel: ["sms"] } })).toEqual([[], false]);
    await expect(list({ starting_after: "sup_nothing" })).rejects.toMatchObject({ code: "invalid_cursor" });
    await deleteSuppression(ctx, other, { channel: emailChannel, id: a ?? "" });
    await deleteSuppression(ctx, other, { channel: emailChannel, id: "b@a.example" });
    await expect(deleteSuppression(ctx, other, { channel: emailChannel, id: a ?? "" })).rejects.toMatchObject({ code: "resource_missing" });
    expect(await list({})).toEqual([[c], false]);
  });

  test.each([
    [{ address: "nobody" }, "address"],
    [{ address: "A <a@b.example>" }, "address"],
    [{ address: "a@b.example\r\nx" }, "address"],
    [{ address: "Delivered+x@Simulator.tillpost.test" }, "address"],
    [{ address: "a@b.example", channel: ctx.channels.named("sms") }, "address"],
    [{ address: "0151234", channel: ctx.channels.named("call") }, "address"],
    [{ address: "a@b.example", expires_at: new Date("2020-01-01T00:00:00Z") }, "expires_at"],
  ])("refuses %j", async (input, param) => {
    await expect(createSuppression(ctx, tenant, { channel: emailChannel, ...input })).rejects.toMatchObject({
      code: "parameter_invalid",
      extras: { param },
    });
  });

  test("another tenant's isn't found", async () => {
    const row = await createSuppression(ctx, tenant, { channel: emailChannel, address: newAddress() });
    for (const other of [await app.tenant({ livemode: true }), { ...tenant, livemode: false }]) {
      await expect(findSuppression(ctx, other, { channel: emailChannel, id: row.id })).rejects.toMatchObject({ code: "resource_missing" });
      await expect(deleteSuppression(ctx, other, { channel: emailChannel, id: row.id })).rejects.toMatchObject({
        code: "resource_missing",
      });
      await expect(listSuppressions(ctx, other, { limit: 1, starting_after: row.id, filters: {} })).rejects.toMatchObject({
        code: "invalid_cursor",
      });
    }
  });
});
