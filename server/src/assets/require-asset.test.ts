import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { requireAsset, uploadAsset } from "./index.ts";

const app = await testApp();
const { ctx } = app;

test("an asset counts only in its own project and environment, and only for the purpose that it was uploaded with", async () => {
  const shop = await app.tenant();
  const { id } = await uploadAsset(ctx, shop, { purpose: "payment_proof", file: Readable.from([await photo(32, 32)]) });
  const required = (tenant = shop, purpose: "payment_proof" | "logo" = "payment_proof") =>
    requireAsset(ctx.db, tenant, { asset_id: id, purpose }).then(
      (asset) => asset.id,
      (error) => [error.code, error.extras.param, error.extras.reason],
    );
  expect(await required()).toBe(id);
  expect(await required(shop, "logo")).toEqual(["parameter_invalid", "asset_id", "wrong_asset"]);
  expect(await required({ ...shop, livemode: !shop.livemode })).toEqual(["parameter_invalid", "asset_id", "not_here"]);
  expect(await required(await app.tenant())).toEqual(["parameter_invalid", "asset_id", "not_here"]);
});
