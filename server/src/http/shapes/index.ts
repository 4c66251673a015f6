import type { AnySchema } from "ajv";
import { errorSchema } from "../schemas/errors.ts";
import { merchantSchema } from "./merchant.ts";
import { projectSchema } from "./project.ts";

/** Every named schema of the document, by its name. */
export const namedSchemas: Record<string, AnySchema> = Object.fromEntries(
  [errorSchema, merchantSchema, projectSchema].map((schema) => [(schema as { $id: string }).$id, schema as AnySchema]),
);
