import type { Gateway } from "./account.ts";

/** The slugs in their new order, with one gateway a place earlier or later. Empty if it already is at that end. */
export function orderWith(gateways: readonly Pick<Gateway, "slug">[], slug: string, step: -1 | 1): string[] {
  const slugs = gateways.map((gateway) => gateway.slug);
  const at = slugs.indexOf(slug);
  const other = slugs[at + step];
  if (at < 0 || other === undefined) return [];
  return slugs.with(at, other).with(at + step, slug);
}
