import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { personalMethods, putProfile } from "#collection/index.ts";
import { provideDemo } from "#gateways/index.ts";
import { addMember, allScopes, createApiKey, createMerchant, createPerson, type PasswordWork } from "#identity/index.ts";
import { type Ctx, isLoopbackUrl, randomBase62 } from "#platform/index.ts";
import { createProject, findProject } from "#projects/index.ts";
import type { Runtime } from "../runtime/index.ts";
import { type Demo, demoFile, readDemo } from "./demo-file.ts";

/** Codes with a valid form that belong to no one: a phone that scans them finds no payee. */
const demoProfiles = personalMethods.map(({ channel, sample }) => ({ channel, qr_payload: sample, payee_name: "Demo Tea House (*emo)" }));

/**
 * Returns the demo merchant's project with two receiving codes, a simulated gateway and a TEST key: created on the first start or on
 * request; null if there is no demo. None is created if others can reach this server: its first account is created by `admin create`. A
 * start that was cut off before its key was shown shows it again, or creates another: a half-created demo's key was never seen.
 */
export async function prepareDemo(
  runtime: Runtime,
  isWanted: boolean,
  passwordWork: PasswordWork = "usual",
): Promise<{ demo: Demo; isNew: boolean } | null> {
  const known = readDemo(runtime.settings);
  if (known === null && !runtime.isFirstStart && !isWanted) return null;
  // The server is public, and anyone can look up the demo's name.
  if (known === null && !isLoopbackUrl(runtime.ctx.publicUrl)) return null;
  const demo = await (known === null ? makeDemo(runtime.ctx, passwordWork) : renewDemo(runtime.ctx, known, passwordWork));
  if (JSON.stringify(demo) !== JSON.stringify(known)) await writePrivately(demoFile(runtime.settings), demo);
  return { demo, isNew: known === null || runtime.isFirstStart };
}

async function makeDemo(ctx: Ctx, passwordWork: PasswordWork): Promise<Demo> {
  const merchant = await createMerchant(ctx, { display_name: "Demo Tea House", country: "CN", messaging_tier: "pro" });
  const project = await createProject(ctx, { merchant_id: merchant.id, name: "Demo", slug: "demo", default_currency: "CNY" });
  const key = await createApiKey(ctx, { project_id: project.id, livemode: false, name: "Demo key", permissions: [...allScopes] });
  const tenant = { project_id: project.id, livemode: false };
  for (const profile of demoProfiles) await putProfile(ctx, tenant, { ...profile, if_version: null });
  // One is enough to see how buyers are redirected and return; the others are easy to turn on.
  const [first] = ctx.gateways.all;
  if (first !== undefined) await provideDemo(ctx, tenant, first.manifest.method.gateway);
  const account = await makeAccount(ctx, merchant.id, passwordWork);
  return { base_url: ctx.publicUrl, project_id: project.id, api_key: key.secret ?? "", ...account };
}

/** A demo of an earlier version has no account yet. */
async function renewDemo(ctx: Ctx, known: Demo, passwordWork: PasswordWork): Promise<Demo> {
  const demo = { ...known, base_url: ctx.publicUrl };
  if ((known.email as string | undefined) !== undefined) return demo;
  const project = await findProject(ctx.db, known.project_id);
  return project === null ? demo : { ...demo, ...(await makeAccount(ctx, project.merchant_id, passwordWork)) };
}

async function makeAccount(ctx: Ctx, merchantId: string, passwordWork: PasswordWork): Promise<Pick<Demo, "email" | "password">> {
  const password = randomBase62(20);
  // An interrupted start may have created one whose password was never shown.
  const email = `demo-${randomBase62(5).toLowerCase()}@tillpost.example`;
  const person = await createPerson(ctx, { email, name: "Demo", password, is_operator: true, provisional: true, passwordWork });
  await addMember(ctx, { merchant_id: merchantId, person_id: person.id, role: "owner" });
  return { email, password };
}

async function writePrivately(file: string, demo: Demo): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}
