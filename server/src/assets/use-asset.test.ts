import { expect, test } from "vitest";
import { AppError } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { deleteAsset, useAsset } from "./index.ts";

const app = await testApp();

test("an asset is either used or deleted, even if both happen at the same moment", async () => {
  const shop = await app.tenant();
  const picture = await photo(32, 32);
  for (let turn = 0; turn < 8; turn += 1) {
    const { body } = await app
      .api(shop.key)
      .upload(`/api/v1/projects/${shop.project_id}/assets/upload`, picture, { purpose: "payment_proof" });
    const id = body.id as string;
    const ends = await Promise.allSettled([
      deleteAsset(app.ctx, shop, { id }),
      app.ctx.transact((tx) => useAsset(tx, shop, { asset_id: id, used_by: "vch_1" })),
      app.ctx.transact((tx) => useAsset(tx, shop, { asset_id: id, used_by: "vch_2" })),
    ]);
    for (const end of ends) if (end.status === "rejected") expect(end.reason).toBeInstanceOf(AppError);
    const [deleted, ...uses] = ends.map((end) => end.status === "fulfilled");
    expect(uses).toEqual([!deleted, !deleted]);
  }
});
