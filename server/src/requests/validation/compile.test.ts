import { Ajv, type AnySchema } from "ajv";
import { expect, it, vi } from "vitest";
import { namedSchemas } from "#schemas/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { createSerializerCompiler } from "../responses/serialize.ts";
import { compileOnce, createAjv, createValidatorCompiler } from "./compile.ts";

const app = await testApp();

it("compiles the schemas of every route, which a running server does only when it needs them", async () => {
  const { routes } = await app.server();
  const named = namedSchemas(app.ctx);
  const [compile, standard] = [compileOnce(createAjv(named)), new Ajv({ strict: false })];
  const isSchema = (schema: AnySchema) => standard.validateSchema(schema, true);
  const faults = routes.flatMap(({ method, url, schema = {} }) => {
    const { body, querystring, params, headers, response = {} } = schema as Record<string, object | undefined>;
    const parts = [body, querystring, params, headers, ...Object.values(response)].filter(
      (part) => part !== undefined && !("content" in part),
    );
    return parts.flatMap((part) =>
      faultOf(() => isSchema(part as AnySchema) && compile(part as AnySchema)).map((fault) => `${method} ${url}: ${fault}`),
    );
  });
  const namedFaults = Object.entries(named).flatMap(([name, schema]) =>
    faultOf(() => isSchema(schema)).map((fault) => `${name}: ${fault}`),
  );
  expect([...faults, ...namedFaults]).toEqual([]);
  expect(() => isSchema({ type: "string", minLength: "3" })).toThrow("schema is invalid");
  expect(routes.length).toBeGreaterThan(100);
});

it("compiles once what two servers of a process share, and each other schema separately", () => {
  const compile = vi.spyOn(Ajv.prototype, "compile");
  const routeOf = (maxLength: number) => ({
    schema: { type: "object", properties: { note: { type: "string", maxLength } } },
    method: "POST",
    url: "/notes",
  });
  const body = (maxLength: number) => createValidatorCompiler(namedSchemas(app.ctx))({ ...routeOf(maxLength), httpPart: "body" });
  const answer = (maxLength: number) => createSerializerCompiler(namedSchemas(app.ctx), true)(routeOf(maxLength));
  try {
    for (const maxLength of [3, 3, 4]) {
      expect(body(maxLength)({ note: "x".repeat(maxLength) })).toBe(true);
      expect(body(maxLength)({ note: "x".repeat(maxLength + 1) })).toBe(false);
      expect(answer(maxLength)({ note: "x".repeat(maxLength) })).toContain("xxx");
      expect(() => answer(maxLength)({ note: "x".repeat(maxLength + 1) })).toThrow("POST /notes does not fit its schema");
    }
    // Two schemas, each read as a body and as an answer.
    expect(compile).toHaveBeenCalledTimes(4);
  } finally {
    compile.mockRestore();
  }
});

function faultOf(compile: () => unknown): string[] {
  try {
    compile();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
