import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterAll, expect, it } from "vitest";
import { findEmail, listEmails } from "#email/index.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { sendNotices } from "#notices/index.ts";
import { ownProject } from "#platform/index.ts";
import { createOutboxTransport } from "#providers/email/outbox/create-outbox-transport.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { drainMs } from "#test/support/mail/mail.ts";
import { pageHeaders, testPassword, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { keepOwnMail } from "./keep-own-mail.ts";
import { ownMailFolder } from "./own-mail-folder.ts";

const at = await testApp();
const data = await mkdtemp(join(tmpdir(), "tillpost-mail-"));
const sender = createEmailSender({
  transports: {
    live: keepOwnMail(createOutboxTransport(), { ctx: at.ctx, folder: ownMailFolder(data, () => new Date()) }),
    test: createSimulator(),
  },
  drainMs,
});
const page = withHeaders(at, pageHeaders());
const signInWith = (email: string, password: string) =>
  page.post("/api/auth/sign-in/email", { email, password }, { from: "198.51.100.77" });

afterAll(async () => {
  await sender.finish(at.ctx);
  await rm(data, { recursive: true, force: true });
});

/** Sends what there is and waits until it is written down as sent. */
async function sendAll(): Promise<void> {
  await sendNotices(at.ctx);
  const isUnderWay = async () =>
    (await listEmails(at.ctx, ownProject, { limit: 1, filters: { status: ["queued", "sending"] } })).rows.length > 0;
  await eventually("every mail is sent", async () => {
    await sender.run(at.ctx);
    return !(await isUnderWay());
  });
}

it("a password is reset on a first start: request, notice, file, link, new password", async () => {
  const li = await visitor(at);
  expect((await page.post("/api/auth/request-password-reset", { email: li.email })).status).toBe(200);
  await sendAll();
  const [name = "", ...others] = await readdir(join(data, "mail"));
  expect(others).toEqual([]);
  const mail = await PostalMime.parse(await readFile(join(data, "mail", name)));
  expect(mail).toMatchObject({
    subject: "Choose a new password",
    to: [{ address: li.email }],
    from: { address: "no-reply@tillpost.example" },
  });
  const link = /^http\S+$/m.exec(mail.text ?? "")?.[0] ?? "";
  expect(mail.html).toContain(`href="${link.replaceAll("=", "&#61;")}"`);
  const { pathname, searchParams } = new URL(link);
  expect(pathname).toBe("/dashboard/reset-password");
  const token = searchParams.get("token");
  expect((await page.post("/api/auth/reset-password", { token, new_password: "battery staple horse" })).status).toBe(200);
  expect((await signInWith(li.email, testPassword)).status).toBe(401);
  expect((await signInWith(li.email, "battery staple horse")).status).toBe(200);
  const { rows } = await listEmails(at.ctx, ownProject, { limit: 10, filters: {} });
  const sent = rows.find(({ email }) => email.tags[0]?.value === "password_reset");
  expect(sent?.email.status).toBe("sent");
  expect((await findEmail(at.ctx, ownProject, sent?.email.id ?? "")).email.provider).toBe("outbox");
});

it("an address without an account gets no email, and the same response", async () => {
  const before = (await readdir(join(data, "mail"))).length;
  expect((await page.post("/api/auth/request-password-reset", { email: "nobody@corner.books" })).status).toBe(200);
  await sendAll();
  const links = await Promise.all(
    (await readdir(join(data, "mail"))).map(
      async (name) => (await PostalMime.parse(await readFile(join(data, "mail", name)))).to?.[0]?.address,
    ),
  );
  expect(links.length).toBeGreaterThanOrEqual(before);
  expect(links).not.toContain("nobody@corner.books");
});
