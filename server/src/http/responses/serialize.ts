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
 * How answers are written. They are built field by field already, so that writing is plain `JSON.stringify`; the schemas describe them.
 * With `check`, every answer must fit its schema exactly, as tests ask, and one that does not becomes an error.
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
      if (!validate(JSON.parse(text))) throw new Error(`the answer of ${method} ${url} does not fit its schema: ${checker.textOf(validate.errors)}`);
      return text;
    };
  };
}

function createChecker(shared: Record<string, AnySchema>): Checker {
  const ajv = createAjv(shared);
  return { compile: compileOnce(ajv), textOf: (errors) => ajv.errorsText(errors) };
}
