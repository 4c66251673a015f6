import { rm } from "node:fs/promises";
import { findPerson, listApiKeys, recoverPerson, revokeApiKey } from "#identity/index.ts";
import { type Ctx, isLoopbackUrl, randomBase62 } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import type { Runtime } from "../runtime/index.ts";
import { type Demo, demoFile, readDemo } from "./demo-file.ts";

/** A closed demo, and the merchant of its owner: the data there belongs to a real user. */
export interface ClosedDemo {
  merchant_id: string | null;
}

/**
 * Closes the account and the key of a demo that was created while only this machine could reach the server, once others can; null if there
 * isn't one. The merchant, its project and orders remain.
 */
export async function closeDemo({ ctx, settings }: Pick<Runtime, "ctx" | "settings">): Promise<ClosedDemo | null> {
  const demo = isLoopbackUrl(ctx.publicUrl) ? null : readDemo(settings);
  if (demo === null) return null;
  await endKey(ctx, demo);
  if ((await findPerson(ctx.db, { email: demo.email })) !== null) {
    // A password that no one knows: the row stays, because orders and the audit log refer to the person.
    await recoverPerson(ctx, { email: demo.email, password: randomBase62(40), passwordWork: "usual" });
  }
  const project = await findProject(ctx.db, demo.project_id);
  await rm(demoFile(settings));
  return { merchant_id: project?.merchant_id ?? null };
}

async function endKey(ctx: Ctx, { project_id, api_key }: Demo): Promise<void> {
  const tenant = { project_id, livemode: false };
  const keys = await listApiKeys(ctx, tenant);
  const key = keys.find(({ status, name, last4 }) => status === "active" && name === "Demo key" && api_key.endsWith(last4));
  if (key !== undefined) await revokeApiKey(ctx, tenant, { id: key.id });
}
