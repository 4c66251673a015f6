import type { AddressInfo } from "node:net";
import { Resend } from "resend";
import { afterAll, describe, expect, test, vi } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";

const app = await testApp();
const room = mailRoom(app.ctx);
const server = await app.server();
await server.listen({ port: 0, host: "127.0.0.1" });
vi.stubEnv("RESEND_BASE_URL", `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/v1`);
afterAll(() => {
  vi.unstubAllEnvs();
  server.server.closeAllConnections();
});

/** A third-party program: the unmodified package, with the server's address in its environment. */
async function program() {
  const shop = await app.tenant();
  return { shop, resend: new Resend(shop.key) };
}

const email = { from: "Corner Books <orders@tillpost.example>", to: "ada@corner-readers.com", subject: "Hello", html: "<p>Hello</p>" };

describe("the npm package resend, pointed at /v1", () => {
  test("sends with everything that it knows, and reads the message", async () => {
    const { resend, shop } = await program();
    const { data, error, headers } = await resend.emails.send({
      ...email,
      to: ["ada@corner-readers.com", "bob@corner-readers.com"],
      cc: "carol@corner-readers.com",
      bcc: ["dan@corner-readers.com"],
      replyTo: "help@tillpost.example",
      text: "Hello",
      headers: { "X-Entity-Ref-ID": "7" },
      tags: [{ name: "campaign", value: "welcome" }],
      attachments: [
        { filename: "a.txt", content: Buffer.from("hello") },
        { filename: "b.txt", content: "aGVsbG8=", contentType: "text/plain", contentId: "b" },
      ],
    });
    expect(error).toBeNull();
    expect(data?.id).toMatch(/^em_/);
    expect(headers?.["request-id"]).toMatch(/^req_/);
    await room.settle();
    const read = await resend.emails.get(data?.id ?? "");
    expect(read.data).toMatchObject({
      object: "email",
      id: data?.id,
      to: ["ada@corner-readers.com", "bob@corner-readers.com"],
      from: email.from,
    });
    expect(read.data).toMatchObject({
      cc: ["carol@corner-readers.com"],
      bcc: ["dan@corner-readers.com"],
      reply_to: ["help@tillpost.example"],
    });
    expect(read.data).toMatchObject({ subject: "Hello", html: "<p>Hello</p>", text: "Hello", last_event: "delivered", scheduled_at: null });
    expect(read.data).toMatchObject({ tags: [{ name: "campaign", value: "welcome" }], headers: { "X-Entity-Ref-ID": "7" } });
    const source = (await app.api(shop.key).get(`/v1/emails/${data?.id}/source`)).text;
    expect(source).toContain("filename=a.txt");
    expect(source).not.toContain("dan@");
  });

  test("sends once for one idempotency key", async () => {
    const { resend } = await program();
    const [first, again] = [
      await resend.emails.send(email, { idempotencyKey: "k" }),
      await resend.emails.send(email, { idempotencyKey: "k" }),
    ];
    expect(again.data?.id).toBe(first.data?.id);
    expect((await resend.emails.list()).data?.data.length).toBe(1);
  });

  test("sends batches, strict and permissive", async () => {
    const { resend } = await program();
    const sent = await resend.batch.send([email, { ...email, to: "bob@corner-readers.com" }]);
    expect(sent.error).toBeNull();
    expect(sent.data?.data.map(({ id }) => id.slice(0, 3))).toEqual(["em_", "em_"]);
    const strict = await resend.batch.send([email, { ...email, to: "nobody" }]);
    expect(strict).toMatchObject({ data: null, error: { error: { code: "recipient_invalid", details: [{ index: 1, param: "to" }] } } });
    const permissive = await resend.batch.send([email, { ...email, to: "nobody" }], { batchValidation: "permissive" });
    expect(permissive.data?.data.length).toBe(1);
    expect(permissive.data?.errors).toMatchObject([{ index: 1, message: expect.stringContaining("address") }]);
    expect((await resend.emails.list()).data?.data.length).toBe(3);
  });

  test("lists page by page, in both directions", async () => {
    const { resend } = await program();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await resend.emails.send(email)).data?.id ?? "");
    const first = await resend.emails.list({ limit: 2 });
    expect(first.data).toMatchObject({ object: "list", has_more: true });
    expect(first.data?.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await resend.emails.list({ limit: 2, after: ids[1] as string });
    expect(second.data?.data.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const last = await resend.emails.list({ limit: 2, after: ids[3] as string });
    expect(last.data).toMatchObject({ has_more: false, data: [{ id: ids[4] }] });
    const back = await resend.emails.list({ limit: 2, before: ids[3] as string });
    expect(back.data?.data.map(({ id }) => id)).toEqual(ids.slice(1, 3));
  });

  test("schedules, postpones and cancels", async () => {
    const { resend } = await program();
    const { data } = await resend.emails.send({ ...email, scheduledAt: "2026-11-21T08:00:00Z" });
    const id = data?.id ?? "";
    const moved = await resend.emails.update({ id, scheduledAt: "2026-11-22T08:00:00.000Z" });
    expect(moved).toMatchObject({ error: null, data: { object: "email", id } });
    expect((await resend.emails.get(id)).data).toMatchObject({ scheduled_at: "2026-11-22T08:00:00.000Z", last_event: "scheduled" });
    expect(await resend.emails.cancel(id)).toMatchObject({ error: null, data: { object: "email", id } });
    expect((await resend.emails.get(id)).data?.last_event).toBe("canceled");
    expect(await resend.emails.cancel(id)).toMatchObject({ data: null, error: { error: { code: "email_state_conflict" } } });
  });

  test("gets a clear message about what it may not do", async () => {
    const { resend } = await program();
    const addressed = await resend.emails.send({ ...email, attachments: [{ filename: "a.pdf", path: "https://files.example.com/a.pdf" }] });
    expect(addressed.error).toMatchObject({
      error: { code: "parameter_missing", details: [{ param: "attachments[0].content" }, { param: "attachments[0].path" }] },
    });
    expect((await new Resend(`svc_test_${"A".repeat(36)}`).emails.list()).error).toMatchObject({ error: { code: "api_key_invalid" } });
    expect((await resend.emails.get("em_none")).error).toMatchObject({ error: { code: "resource_missing" } });
  });

  test("gets errors in the fields that it shows", async () => {
    const { resend } = await program();
    const refused = await resend.emails.send({ ...email, to: "nobody" });
    expect(refused.error).toMatchObject({
      name: "recipient_invalid",
      message: "This isn't an email address.",
      statusCode: 400,
      error: { code: "recipient_invalid" },
    });
    expect((await resend.emails.get("em_none")).error).toMatchObject({ name: "resource_missing", statusCode: 404 });
    expect((await new Resend(`svc_test_${"A".repeat(36)}`).emails.list()).error).toMatchObject({
      name: "api_key_invalid",
      statusCode: 401,
    });
    const nowhere = await resend.get("/nothing-here");
    expect(nowhere.error).toMatchObject({ name: "route_missing", statusCode: 404 });
  });

  test("suppresses addresses, finds them and lifts them", async () => {
    const { resend } = await program();
    const added = await resend.suppressions.add({ email: "Ada@corner-readers.com" });
    expect(added).toMatchObject({ error: null, data: { object: "suppression", id: expect.stringMatching(/^sup_/) } });
    expect((await resend.suppressions.get("ada@corner-readers.com")).data).toMatchObject({ id: added.data?.id });
    expect((await resend.suppressions.list()).data?.data.length).toBe(1);
    expect((await resend.suppressions.remove("ada@corner-readers.com")).data).toMatchObject({ id: added.data?.id, deleted: true });
  });

  test("adds a domain with a region and a custom return path", async () => {
    const { resend } = await program();
    const made = await resend.domains.create({ name: "eu.simulator.test", region: "eu-west-1", customReturnPath: "send" });
    expect(made).toMatchObject({ error: null, data: { object: "domain", name: "eu.simulator.test" } });
    expect((await resend.domains.create({ name: "us.simulator.test", customReturnPath: "not a label" })).error).toMatchObject({
      name: "parameter_invalid",
    });
  });

  test("manages domains", async () => {
    const { resend } = await program();
    const made = await resend.domains.create({ name: "shop.simulator.test" });
    expect(made.data).toMatchObject({ object: "domain", name: "shop.simulator.test", status: "pending" });
    const id = made.data?.id ?? "";
    expect((await resend.domains.verify(id)).data).toMatchObject({ object: "domain", id });
    expect((await resend.domains.get(id)).data).toMatchObject({ status: "verified" });
    expect((await resend.domains.list({ limit: 5 })).data?.data.length).toBe(1);
    expect((await resend.domains.remove(id)).data).toEqual({ object: "domain", id, deleted: true });
  });
});
