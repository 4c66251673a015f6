import type { AnySchema, ValidateFunction } from "ajv";
import type { FastifySchema } from "fastify";
import { createAjv } from "./compile.ts";

type SerializerCompiler = (route: { schema: unknown; method: string; url: string; httpStatus?: string }) => (data: unknown) => string;

/**
 * How answers are written. They are built field by field already, so that writing is plain `JSON.stringify`; the schemas describe them.
 * With `check`, every answer must fit its schema exactly, as tests ask, and one that does not becomes an error.
 */
export function createSerializerCompiler(shared: Record<string, AnySchema>, check: boolean): SerializerCompiler {
  if (!check) return () => JSON.stringify;
  const ajv = createAjv(shared);
  return ({ schema, method, url }) => {
    let validate: ValidateFunction | undefined;
    return (data) => {
      validate ??= ajv.compile(schema as FastifySchema);
      const text = JSON.stringify(data);
      if (!validate(JSON.parse(text))) throw new Error(`the answer of ${method} ${url} does not fit its schema: ${ajv.errorsText(validate.errors)}`);
      return text;
    };
  };
}
