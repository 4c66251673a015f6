import { Readable } from "node:stream";
import { assetUrl, uploadAsset } from "#assets/index.ts";
import { chainAudit } from "#audit/index.ts";
import { createCarrierLines } from "#calls/index.ts";
import { returnPathOf } from "#email/bounce/return-path.ts";
import { createDomain, createEmail } from "#email/index.ts";
import { clickSignerOf, clickUrl, openUrl } from "#email/tracking/track-token.ts";
import { unsubscribeUrl } from "#email/unsubscribe/unsubscribe-token.ts";
import { changeCredential, createCredential, listGateways } from "#gateways/index.ts";
import { notice, ownProject } from "#platform/index.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { scriptedGateway } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { totp } from "#test/support/people/totp.ts";
import { openNotices } from "#test/support/people/visitor-notices.ts";
import { cookiesOf, pageHeaders, testPassword, type Visitor, visitor, withHeaders } from "#test/support/people/visitors.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { startVerification } from "#verifications/index.ts";
import { createEndpoint, promoteCallbackSecret, promoteSecret, rollCallbackSecret, rollSecret } from "#webhooks/index.ts";

/** What was sealed and signed before the master keys change, as its holders would use it. */
export interface SealedWorld {
  shop: TestTenant;
  /** Secrets of the endpoint, the one that signs first. */
  endpoint: { id: string; secrets: string[] };
  owner: Visitor;
  /** An account with two-step sign-in. */
  guarded: { person: Visitor; totp_uri: string; recovery_codes: string[]; trusted: string };
  /** Tokens at the end of addresses in emails. */
  links: { unsubscribe: string; open: string; click: string; confirm: string };
  return_path: string;
  recipient_id: string;
  asset: { id: string; url: string };
}

/**
 * Fills every kind of value that master keys seal, and everything that is signed with keys derived from them. The endpoint receives at
 * `url`.
 */
export async function sealSome(app: TestApp, url: string): Promise<SealedWorld> {
  const { ctx } = app;
  const shop = await app.tenant({ livemode: true });
  const endpoint = await endpointWithThree(app, shop, url);
  const { project_id, livemode } = shop;
  // The secret of the project's callbacks is created with its first one; two rolls fill the other places.
  await rollCallbackSecret(ctx, shop);
  await rollCallbackSecret(ctx, shop);
  await promoteCallbackSecret(ctx, shop);
  await rollCallbackSecret(ctx, shop);
  await createDomain(ctx, shop, { name: "mail.corner.example" });
  await accountWithTwo(app, shop);
  await createEmail(ctx, ownProject, { tier: "system", email: newEmail({ from: ctx.mail.from }), secret: true });
  await ctx.transact((tx) => notice(tx, ctx, { kind: "sealed_world", recipient: "a@corner.books", params: { url: "x" } }));
  const trial = await app.tenant();
  for (const channel of ["sms", "call"] as const)
    await startVerification(ctx, trial, { tier: "free", verification: { to: "+15005559999", channels: [channel] } });
  const lines = createCarrierLines(ctx);
  const line = await lines.open({ ...trial, call_id: ctx.id("call"), lastsMs: 86_400_000 }, () => {});
  await line.show({ number: 1, text: "<Response/>", sound: Buffer.from("RIFF") });
  await lines.close();
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  const guarded = await guardedPerson(app);
  const tracked = { tenant: { project_id, livemode }, email_id: "em_1", recipient_id: ctx.id("rec") };
  const asset = await uploadAsset(ctx, shop, { purpose: "payment_proof", file: Readable.from([await photo(300, 300)]) });
  const new_email = "new@corner.books";
  const page = withHeaders(app, pageHeaders());
  await page.post("/api/auth/sign-up/email", {
    email: new_email,
    password: testPassword,
    name: "Li",
    merchant_name: "Tea",
    language: "en",
  });
  while ((await chainAudit(ctx)) > 0);
  const click = clickUrl(clickSignerOf(ctx, tracked), "https://corner.example/");
  return {
    ...{ shop, endpoint, owner, guarded, recipient_id: tracked.recipient_id },
    links: {
      unsubscribe: tokenIn(unsubscribeUrl(ctx, { ...tracked, address: "ada@lovelace.dev" })),
      open: tokenIn(openUrl(ctx, tracked)),
      click: tokenIn(click),
      confirm: await mailedToken(app, "email_verification", new_email),
    },
    return_path: returnPathOf(ctx.masterKeys, "bounce.corner.example", tracked.recipient_id),
    asset: { id: asset.id, url: assetUrl(ctx, asset) },
  };
}

const tokenIn = (url: string) => url.slice(url.lastIndexOf("/") + 1);

async function mailedToken(app: TestApp, kind: string, email: string): Promise<string> {
  return new URL((await openNotices(app, kind, email)).at(-1)?.url ?? "").searchParams.get("token") ?? "";
}

/** An endpoint whose next, current and former secret all sign. */
async function endpointWithThree(app: TestApp, shop: TestTenant, url: string): Promise<SealedWorld["endpoint"]> {
  const { ctx } = app;
  const { endpoint, secret: first } = await createEndpoint(ctx, shop, { url, events: ["order.paid"] });
  const { secret: second } = await rollSecret(ctx, shop, { id: endpoint.id });
  await promoteSecret(ctx, shop, { id: endpoint.id });
  const { secret: third } = await rollSecret(ctx, shop, { id: endpoint.id });
  return { id: endpoint.id, secrets: [second ?? "", third ?? "", first ?? ""] };
}

/** An account with a payment provider whose former fields still verify. */
async function accountWithTwo({ ctx }: TestApp, shop: TestTenant): Promise<void> {
  const paying = { ...ctx, gateways: listGateways([scriptedGateway({ checks: false })]) };
  const { gateway, id } = await createCredential(paying, shop, {
    gateway: "testpay",
    fields: { key: "tp_live_1", secret: "first-secret-1" },
  });
  await changeCredential(paying, shop, { gateway, id, if_version: null, fields: { secret: "second-secret-2" } });
}

/** A person with two-step sign-in and one trusted browser. */
async function guardedPerson(app: TestApp): Promise<SealedWorld["guarded"]> {
  const person = await visitor(app);
  const { totp_uri, recovery_codes } = (await person.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
  await person.api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) });
  const trusted = await passSecondStep(app, person.email, (code) => ({ path: "totp", code: code(totp_uri), trust_device: true }));
  return { person, totp_uri, recovery_codes, trusted };
}

let from = 0;

/** Signs in with the password, and returns whether a second step is required, and the cookies. */
export async function enter(app: TestApp, email: string, cookie?: string): Promise<{ needsSecondStep: boolean; cookies: string }> {
  from += 1;
  const page = withHeaders(app, pageHeaders(cookie));
  const reply = await page.post("/api/auth/sign-in/email", { email, password: testPassword }, { from: `203.0.120.${from}` });
  if (reply.status !== 200) throw new Error(`not let in: ${reply.text}`);
  return { needsSecondStep: reply.body.two_factor_required, cookies: cookiesOf(reply.headers) };
}

interface SecondStep {
  path: "totp" | "recovery-code";
  code: string;
  trust_device?: boolean;
}

/** Signs in with password and a code; returns the cookies. A code is valid once, so time passes first. */
export async function passSecondStep(app: TestApp, email: string, step: (code: (uri: string) => string) => SecondStep): Promise<string> {
  app.clock.advance(121_000);
  const { path, ...body } = step((uri) => totp(uri, app.clock.now()));
  const { cookies } = await enter(app, email);
  const reply = await withHeaders(app, pageHeaders(cookies)).post(`/api/auth/two-factor/verify-${path}`, body);
  if (reply.status !== 200) throw new Error(`the code was not taken: ${reply.text}`);
  return cookiesOf(reply.headers);
}
