import { expect, test } from "vitest";
import { house } from "#test/house.ts";
import { spectralErrors } from "#test/spectral-errors.ts";

const home = await house();

test.each(["/openapi.json", "/openapi.internal.json"])(
  "%s has no error for spectral",
  async (path) => {
    expect(await spectralErrors((await home.api().get(path)).body)).toEqual([]);
  },
  300_000,
);
