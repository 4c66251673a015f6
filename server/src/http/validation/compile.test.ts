import type { AnySchema } from "ajv";
import { expect, it } from "vitest";
import { house } from "#test/house.ts";
import { namedSchemas } from "../shapes/index.ts";
import { createAjv } from "./compile.ts";

const home = await house();

it("compiles the schemas of every route, which a running server does only when it needs them", async () => {
  const { routes } = await home.app();
  const ajv = createAjv(namedSchemas);
  const faults = routes.flatMap(({ method, url, schema = {} }) => {
    const { body, querystring, params, headers, response = {} } = schema as Record<string, object | undefined>;
    const parts = [body, querystring, params, headers, ...Object.values(response)].filter((part) => part !== undefined && !("content" in part));
    return parts.flatMap((part) => faultOf(() => ajv.compile(part as AnySchema)).map((fault) => `${method} ${url}: ${fault}`));
  });
  expect(faults).toEqual([]);
  expect(routes.length).toBeGreaterThan(100);
});

function faultOf(compile: () => unknown): string[] {
  try {
    compile();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
