import type { Ajv, AnySchema, ValidateFunction } from "ajv";
import type { FastifySchema } from "fastify";
import { compileOnce, createAjv } from "../validation/compile.ts";

interface Checker {
  compile(schema: AnySchema): ValidateFunction;
  textOf: Ajv["errorsText"];
}

const known = new WeakMap<Record<string, AnySchema>, Checker>();

type SerializerCompiler = (route: { schema: unknown; method: string; url: string; httpStatus?: string }) => (data: unknown) => string;

/**
 * How responses are serialized. They are already built field by field, so plain `JSON.stringify` is enough; the schemas describe them. With
 * `check`, every response must match its schema exactly, as tests require, and becomes an error if it doesn't.
 */
export function createSerializerCompiler(shared: Record<string, AnySchema>, check: boolean): SerializerCompiler {
  if (!check) return () => JSON.stringify;
  const checker = known.get(shared) ?? createChecker(shared);
  known.set(shared, checker);
  return ({ schema, method, url }) => {
    let validate: ValidateFunction | undefined;
    return (data) => {
      validate ??= checker.compile(schema as FastifySchema);
      const text = JSON.stringify(data);
      if (!validate(JSON.parse(text)))
        throw new Error(`the answer of ${method} ${url} does not fit its schema: ${checker.textOf(validate.errors)}`);
      return text;
    };
  };
}

function createChecker(shared: Record<string, AnySchema>): Checker {
  const ajv = createAjv(shared);
  return { compile: compileOnce(ajv), textOf: (errors) => ajv.errorsText(errors) };
}
