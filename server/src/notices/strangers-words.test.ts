import { describe, expect, test } from "vitest";
import { findEmail, listEmails } from "#email/index.ts";
import { addMember, createMerchant, createPerson, inviteMember, listInvitations, setMerchantVerification } from "#identity/index.ts";
import { AppError, notice, ownProject } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { plainName } from "./mail/clean-text.ts";
import { sendNotices } from "./send-notices.ts";

const { ctx, clock } = await testApp();
let count = 0;

async function shop(name: string, verified: boolean) {
  const merchant = await createMerchant(ctx, { display_name: name });
  if (verified) await setMerchantVerification(ctx, { merchant_id: merchant.id, status: "verified" });
  const owner = await createPerson(ctx, {
    email: `owner-${(count += 1)}@corner-readers.com`,
    name,
    password: "correct horse battery",
    passwordWork: "light",
  });
  await addMember(ctx, { merchant_id: merchant.id, person_id: owner.id, role: "owner" });
  const by = { person_id: owner.id, name, role: "owner" as const };
  const invite = (email: string, merchant_id = merchant.id) =>
    inviteMember(ctx, { merchant_id, email, role: "viewer", language: "en", by });
  return { merchant, by, invite };
}

async function mailTo(address: string) {
  await sendNotices(ctx);
  const [row] = (await listEmails(ctx, ownProject, { limit: 1, filters: { to: [address] } })).rows;
  const { email, body } = await findEmail(ctx, ownProject, row?.email.id ?? "");
  return { subject: email.subject, text: `${body?.text}${body?.html}` };
}

const bait = "Prize 4000 EUR call +491701234567 http://evil.example/x evil.example me@evil ５５５ Corner";

describe("an invitation in the name of an unverified person", () => {
  test("has our own subject and no address, number or link of theirs", async () => {
    const { invite } = await shop(bait, false);
    await invite("victim@corner-readers.com");
    const { subject, text } = await mailTo("victim@corner-readers.com");
    expect(subject).toBe("You're invited to a team");
    for (const word of ["evil", "4000", "49170", "555", "５５５", "http://evil", "me@"]) expect(text).not.toContain(word);
    expect(text).toContain("Corner");
    expect(text).toContain("hasn't been verified");
  });

  test("names a verified business", async () => {
    const { invite } = await shop("Corner Books", true);
    await invite("friend@corner-readers.com");
    expect((await mailTo("friend@corner-readers.com")).subject).toBe("You're invited to Corner Books");
  });

  test.each([
    ["Corner Books", "Corner Books"],
    ["加微信12345领奖", null],
    ["evil.example", null],
    ["Call 555-1234", "Call"],
    ["mail me@evil.example", "mail"],
    ["https://evil.example Books", "Books"],
    ["①②③", null],
    ["街角书店", "街角书店"],
  ])("is, from %s: %s", (name, shown) => {
    expect(plainName(name)).toBe(shown);
  });
});

test("a key's name is no link in the email about keys", async () => {
  const { merchant } = await shop("Corner Books", true);
  const project = await createProject(ctx, { merchant_id: merchant.id, name: "Shop", default_currency: "CNY" });
  const keys = [`${"evil.example ".repeat(5)}https://evil.example/x (…k3Qd)`];
  await ctx.transact((tx) =>
    notice(tx, ctx, { kind: "keys_without_receipts", recipient: project.id, params: { project_id: project.id, keys } }),
  );
  const { text } = await mailTo(`owner-${count}@corner-readers.com`);
  expect(text).toContain("(…k3Qd)");
  expect(text).not.toContain("evil.example");
});

describe("invitations in a day", () => {
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof AppError ? `${error.status} ${error.code} ${error.extras.headers?.["retry-after"]}` : error),
    );

  test("are 20 for an unverified merchant, however many merchants the person opens, and 200 once verified", async () => {
    const { merchant, by, invite } = await shop("Corner Books", false);
    for (let n = 0; n < 20; n += 1) expect(await refusal(invite(`a${n}@corner-readers.com`))).toBeNull();
    expect(await refusal(invite("a20@corner-readers.com"))).toBe("429 rate_limited 86400");
    const second = await createMerchant(ctx, { display_name: "Second" });
    await addMember(ctx, { merchant_id: second.id, person_id: by.person_id, role: "owner" });
    expect(await refusal(invite("b@corner-readers.com", second.id))).toMatch(/^429 rate_limited/);
    await setMerchantVerification(ctx, { merchant_id: merchant.id, status: "verified" });
    for (let n = 20; n < 200; n += 1) expect(await refusal(invite(`a${n}@corner-readers.com`))).toBeNull();
    expect(await refusal(invite("a200@corner-readers.com"))).toMatch(/^429 rate_limited/);
    clock.advance(86_400_000);
    expect(await refusal(invite("a201@corner-readers.com"))).toBeNull();
  });

  test("stay within the limit when sent concurrently, from one merchant or from several of one person", async () => {
    const { merchant, by, invite } = await shop("Corner Books", false);
    for (let n = 0; n < 17; n += 1) await invite(`c${n}@corner-readers.com`);
    const second = await createMerchant(ctx, { display_name: "Second" });
    await addMember(ctx, { merchant_id: second.id, person_id: by.person_id, role: "owner" });
    const merchants = [merchant.id, second.id];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_none, n) => refusal(invite(`d${n}@corner-readers.com`, merchants[n % 2]))),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(3);
    expect(new Set(answers.filter((answer) => answer !== null))).toEqual(new Set(["429 rate_limited 86400"]));
    const sent = await Promise.all(merchants.map((merchant_id) => listInvitations(ctx, { merchant_id, limit: 100 })));
    expect(sent.flatMap(({ rows }) => rows)).toHaveLength(20);
  });
});
