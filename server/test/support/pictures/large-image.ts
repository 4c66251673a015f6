import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { photo } from "./pictures.ts";

/** More than what the kernel takes of a response that its client doesn't read. */
const bytes = 16 * 1024 * 1024;

/** The path of a stored image of 16 MB, with its signature. Uploads are smaller: this one is replaced where it is stored. */
export async function largeImage(app: TestApp, shop: TestTenant): Promise<string> {
  const path = `/api/v1/projects/${shop.project_id}/assets/upload`;
  const { body } = await app.api(shop.key).upload(path, await photo(32, 32), { purpose: "payment_proof" });
  const [row] = await app.asSuperuser((db) =>
    runStatement<{ storage_key: string }>(db, "update assets set size_bytes = ? where id = ? returning storage_key", bytes, body.id),
  );
  await app.ctx.files.put(row?.storage_key ?? "", Buffer.alloc(bytes));
  const { pathname, search } = new URL(body.url as string);
  return pathname + search;
}
