import type { Ctx } from "#platform/index.ts";

const dashboard = "/dashboard";

/**
 * A page of the dashboard within a project and environment. The project stands there by its ID: a slug can change, and another merchant can
 * have the same.
 */
export function projectLink(ctx: Ctx, place: { project_id: string; livemode: boolean }, path: string): string {
  return new URL(`${dashboard}/${encodeURIComponent(place.project_id)}/${place.livemode ? "live" : "test"}${path}`, ctx.publicUrl).href;
}

/** The dashboard's front page, which forwards to where the reader last was. */
export function frontLink(ctx: Ctx): string {
  return new URL(`${dashboard}/`, ctx.publicUrl).href;
}

/** A page of this installation. */
export function ownLink(ctx: Ctx, path: string): string {
  return new URL(path, ctx.publicUrl).href;
}

/** A link that another room made; null unless it leads to this installation. Our emails never send anyone elsewhere. */
export function checkedLink(ctx: Ctx, given: string): string | null {
  const url = URL.parse(given);
  return url !== null && url.origin === new URL(ctx.publicUrl).origin && url.username === "" && url.password === "" ? url.href : null;
}
