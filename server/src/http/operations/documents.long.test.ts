import SwaggerParser from "@apidevtools/swagger-parser";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { testApp } from "#test/support/app/test-app.ts";
import { redoclyErrors } from "#test/support/guides/redocly-errors.ts";
import { spectralErrors } from "#test/support/guides/spectral-errors.ts";

const app = await testApp();

describe.each(["/openapi", "/openapi.internal"])("%s", (path) => {
  test("is valid for swagger-parser", async () => {
    await expect(SwaggerParser.validate((await app.api().get(`${path}.json`)).body)).resolves.toBeDefined();
  });

  test("has no spectral errors", async () => {
    expect(await spectralErrors((await app.api().get(`${path}.json`)).body)).toEqual([]);
  }, 300_000);

  test("has no errors of redocly's recommended rules", async () => {
    expect(await redoclyErrors((await app.api().get(`${path}.json`)).body, `${path}.json`)).toEqual([]);
  });

  test("is the same in YAML", async () => {
    const [json, yaml] = [await app.api().get(`${path}.json`), await app.api().get(`${path}.yaml`)];
    expect(parseYaml(yaml.text)).toEqual(json.body);
  });
});
