import { findMerchant } from "#identity/index.ts";
import type { Ctx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { cleanName } from "../mail/clean-text.ts";
import { checkedLink, projectLink } from "./links.ts";
import { UndeliverableNotice } from "./prepared.ts";

/** Adds the checked link. Without one to this installation the email would be useless, or harmful. */
export function linked<F extends object>(
  ctx: Ctx,
  given: { url: string; language?: string | null },
  factsOf: (url: string) => F,
): { facts: F; language: string | null } {
  const url = checkedLink(ctx, given.url);
  if (url === null) throw new UndeliverableNotice("link_elsewhere", "a notice's link leads elsewhere");
  return { facts: factsOf(url), language: given.language ?? null };
}

/** With the project's name and the link to a page of its dashboard. */
export async function onPage<F extends object>(
  ctx: Ctx,
  { project_id, livemode, path }: { project_id: string; livemode: boolean; path: string },
  factsOf: (page: { url: string; project: string }) => F,
): Promise<{ facts: F; test: boolean } | null> {
  const project = await findProject(ctx.db, project_id);
  if (project === null) return null;
  const url = projectLink(ctx, { project_id: project.id, livemode }, path);
  return { facts: factsOf({ url, project: cleanName(project.name) }), test: !livemode };
}

/** With the merchant's name. */
export async function ofMerchant<F extends object>(
  ctx: Ctx,
  merchantId: string,
  factsOf: (name: string) => F,
): Promise<{ facts: F } | null> {
  const merchant = await findMerchant(ctx.db, merchantId);
  return merchant === null ? null : { facts: factsOf(cleanName(merchant.display_name)) };
}
