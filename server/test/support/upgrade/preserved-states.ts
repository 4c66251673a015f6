import type { Answer } from "#test/support/app/api.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import type { KnownShop } from "./known.ts";

const lists = ["orders", "receipts", "exceptions", "webhooks", "v1/emails", "v1/suppressions", "v1/domains"];

/** Id and status of everything that a shop's lists show. */
export async function statusesOf(app: TestApp, shop: KnownShop): Promise<Record<string, Record<string, string>>> {
  const found: Record<string, Record<string, string>> = {};
  for (const list of lists) {
    const path = list.startsWith("v1/") ? `/${list}` : `/api/v1/projects/${shop.project_id}/${list}`;
    const seen: Record<string, string> = {};
    for (let after = ""; ; ) {
      const { data, next_cursor } = good(await app.api(shop.key).get(`${path}?limit=100${after}`));
      for (const one of data) seen[one.id] = one.status ?? "";
      if (next_cursor === null) break;
      after = `&starting_after=${next_cursor}`;
    }
    found[list] = seen;
  }
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: a reply's shape is what the caller goes on to read.
export function good({ status, body, text }: Answer): any {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}
