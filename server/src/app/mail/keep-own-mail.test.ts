import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutgoingEmail } from "#email/index.ts";
import { type Ctx, ownProject } from "#platform/index.ts";
import { createOutboxTransport } from "#providers/email/outbox/create-outbox-transport.ts";
import { keepOwnMail } from "./keep-own-mail.ts";
import { ownMailFolder } from "./own-mail-folder.ts";

const now = () => new Date();
let data: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "tillpost-mail-"));
});
afterAll(() => rm(data, { recursive: true, force: true }));

const outgoing = (more: Partial<OutgoingEmail>): OutgoingEmail => ({
  ...ownProject,
  email_id: "em_1",
  recipient_id: "1",
  to: "a@corner.books",
  return_path: "",
  raw: Buffer.from("Subject: Choose a new password\r\n\r\nhttps://pay.example.com/reset-password?token=s3cret"),
  message_id: "<em_1@corner.books>",
  attempt: 1,
  previous: { smtp_code: null, enhanced_code: null },
  expires_at: now(),
  ...more,
});

const signal = new AbortController().signal;

/** A transport over a folder, with what it logged. */
function keeping(folder: string) {
  const lines: string[] = [];
  const stream = new PassThrough().on("data", (chunk: Buffer) => lines.push(String(chunk)));
  const ctx = { log: pino({}, stream) } as unknown as Ctx;
  return { transport: keepOwnMail(createOutboxTransport(), { ctx, folder: ownMailFolder(folder, now) }), lines };
}

describe("while no email leaves", () => {
  it("stores system emails in files that no one else may read, and logs where they are but not what they say", async () => {
    const { transport, lines } = keeping(data);
    expect(await transport.send(outgoing({}), signal)).toMatchObject({ result: "accepted", final: false });
    const file = join(data, "mail", "em_1.eml");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(data, "mail"))).mode & 0o777).toBe(0o700);
    expect(await readFile(file, "utf8")).toContain("token=s3cret");
    expect(lines.join("")).toContain(file);
    expect(lines.join("")).not.toMatch(/s3cret|corner\.books|password/);
    expect(transport).toMatchObject({ name: "outbox", concurrency: 100 });
  });

  it("restricts a folder that was open, overwrites a repeated email and leaves no half file", async () => {
    const open = await mkdtemp(join(tmpdir(), "tillpost-mail-"));
    await mkdir(join(open, "mail"), { mode: 0o777 });
    await chmod(join(open, "mail"), 0o777);
    const { transport } = keeping(open);
    await Promise.all([transport.send(outgoing({}), signal), transport.send(outgoing({ email_id: "em_2" }), signal)]);
    await transport.send(outgoing({}), signal);
    expect((await readdir(join(open, "mail"))).sort()).toEqual(["em_1.eml", "em_2.eml"]);
    expect((await stat(join(open, "mail"))).mode & 0o777).toBe(0o700);
    await rm(open, { recursive: true });
  });

  it("stores no tenant's email", async () => {
    const { transport, lines } = keeping(data);
    await transport.send(outgoing({ project_id: "prj_shop", email_id: "em_tenant" }), signal);
    await transport.send(outgoing({ livemode: false, email_id: "em_test" }), signal);
    expect(await readdir(join(data, "mail"))).toEqual(["em_1.eml"]);
    expect(lines).toEqual([]);
  });

  it("retains 200 of them for seven days", async () => {
    const folder = ownMailFolder(data, now);
    for (let n = 0; n < 205; n += 1) {
      const file = await folder.keep(`em_n${String(n).padStart(3, "0")}`, Buffer.from("x"));
      const at = new Date(now().getTime() - (300 - n) * 1000);
      await utimes(file, at, at);
    }
    await folder.keep("em_last", Buffer.from("x"));
    const mails = await folder.list();
    expect(mails).toHaveLength(200);
    expect(mails[0]?.id).toBe("em_last");
    const old = new Date(now().getTime() - 8 * 86_400_000);
    await utimes(mails[5]?.file ?? "", old, old);
    await folder.keep("em_last", Buffer.from("x"));
    expect((await folder.list()).map(({ id }) => id)).not.toContain(mails[5]?.id);
  });

  it("doesn't count an email as sent if it couldn't be stored", async () => {
    const { transport, lines } = keeping("/dev/null");
    expect(await transport.send(outgoing({}), signal)).toMatchObject({ result: "deferred" });
    expect(lines.join("")).not.toContain("s3cret");
    await expect(ownMailFolder(data, now).keep("../../etc/passwd", Buffer.from("x"))).rejects.toThrow("cannot be the name of a file");
  });
});
