import type { Ctx } from "#platform/index.ts";
import { deliverCallbacks } from "./deliver-callbacks.ts";
import { findDemoPlace } from "./documents.sql.ts";
import { demoOrigin, enterDemo } from "./enter-demo.ts";

/** A browser's request for a simulated provider's page. */
export interface DemoPageRequest {
  credentialId: string;
  /** Path below the provider's address, starting with `/`, and its query with `?`. */
  path: string;
  query: string;
  /** The buyer's choice; null if the page is only viewed. */
  outcome: string | null;
  acceptLanguage: string | undefined;
}

export interface DemoPage {
  status: number;
  contentType: string;
  /** The browser's next address; null if it stays. */
  location: string | null;
  text: string;
}

/**
 * Returns a page of a demo account's simulated provider, and applies a choice made on it: its callbacks are delivered before the response.
 * null for everything except a demo account in TEST, and for addresses of its provider's API, which only this program calls.
 */
export async function answerDemoPage(ctx: Ctx, pageRequest: DemoPageRequest): Promise<DemoPage | null> {
  const { credentialId, path, query, outcome, acceptLanguage } = pageRequest;
  const place = await findDemoPlace(ctx.db, credentialId);
  const simulator = place === null ? null : await ctx.gateways.find(place.gateway)?.simulator();
  if (place === null || simulator == null || !simulator.pages.test(path)) return null;
  // Only our own pages link there, and providers may need the referrer.
  const headers = { referer: `${ctx.publicUrl}/`, ...(acceptLanguage === undefined ? {} : { "accept-language": acceptLanguage }) };
  const method = outcome === null ? { method: "GET" } : { method: "POST", body: new URLSearchParams({ outcome }) };
  const request = () => new Request(`${demoOrigin(ctx, place)}${path}${query}`, { ...method, headers });
  const { callbacks, ...result } = await enterDemo(ctx, place, (_simulator, world) => simulator.handle(world, request()));
  await deliverCallbacks(ctx, place, callbacks);
  // A script's choice that came too late, or that this provider doesn't support.
  if (result.error !== null)
    return { status: 409, contentType: "text/plain; charset=utf-8", location: null, text: "This can't happen to the payment right now.\n" };
  const answer = result.value;
  return {
    status: answer.status,
    contentType: answer.headers.get("content-type") ?? "text/plain; charset=utf-8",
    location: answer.headers.get("location"),
    text: await answer.text(),
  };
}
