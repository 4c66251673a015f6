import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { spectralErrors } from "#test/support/guides/spectral-errors.ts";
import { house } from "#test/support/house/house.ts";

const home = await house();

describe.each(["/openapi", "/openapi.internal"])("%s", (path) => {
  test("has no error for spectral", async () => {
    expect(await spectralErrors((await home.api().get(`${path}.json`)).body)).toEqual([]);
  }, 300_000);

  test("is the same in YAML", async () => {
    const [json, yaml] = [await home.api().get(`${path}.json`), await home.api().get(`${path}.yaml`)];
    expect(parseYaml(yaml.text)).toEqual(json.body);
  });
});
