import { Ajv, type AnySchema, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";

interface Validators {
  /** Bodies: values stay unchanged, and all errors are reported. */
  body: Compile;
  /** Queries and paths: texts become numbers and booleans if the schema requires them and the text is exactly one. */
  address: Compile;
}

type Compile = (schema: AnySchema) => ValidateFunction;

const known = new WeakMap<Record<string, AnySchema>, Validators>();

/**
 * The validators of one server. Fastify passes the schemas that routes refer to by name. Each is compiled when the first request needs it:
 * all of them at once would slow down startup, and use memory for routes that are never called. A test compiles them all.
 */
export function createValidatorCompiler(shared: Record<string, AnySchema>): FastifySchemaCompiler<unknown> {
  const validators = known.get(shared) ?? { body: compileLater(shared), address: compileLater(shared) };
  known.set(shared, validators);
  return ({ schema, httpPart }) => {
    if (httpPart === "body" || httpPart === "headers" || httpPart === undefined)
      return onFirstUse(() => validators.body(schema as AnySchema));
    const readers = readersOf(schema as ObjectSchema);
    return onFirstUse(() => validators.address(schema as AnySchema), readers);
  };
}

/** Reads the schemas that others refer to by name when the first one is compiled. */
function compileLater(shared: Record<string, AnySchema>): Compile {
  let compile: Compile | undefined;
  return (schema) => {
    compile ??= compileOnce(createAjv(shared));
    return compile(schema);
  };
}

/** Compiles schemas with the same text once: tests that build several servers in a process use the same ones. */
export function compileOnce(ajv: Ajv): Compile {
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const validate = compiled.get(text) ?? ajv.compile(schema);
    compiled.set(text, validate);
    return validate;
  };
}

/**
 * A validator that leaves values unchanged and reports all errors. A test checks that the schemas are valid, so that startup doesn't have
 * to.
 */
export function createAjv(shared: Record<string, AnySchema>): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: false,
    useDefaults: true,
    removeAdditional: false,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    strictTypes: false,
    meta: false,
    validateSchema: false,
  });
  (formats as unknown as (ajv: Ajv) => void)(ajv);
  keepInstantsStorable(ajv);
  for (const keyword of ["x-fault", "x-reason", "x-sentence", "x-default", "kind", "modifier", "example"]) ajv.addKeyword(keyword);
  for (const schema of Object.values(shared)) ajv.addSchema(schema);
  return ajv;
}

const earliest = Date.UTC(1000, 0);
const latest = Date.UTC(9999, 0);

/**
 * The format alone allows timestamps that `Date` (a leap second) or the database (year 0) can't represent, and years that a later sum would
 * overflow.
 */
function keepInstantsStorable(ajv: Ajv): void {
  const { validate: isInstant } = ajv.formats["date-time"] as { validate(text: string): boolean };
  ajv.addFormat("date-time", (text: string) => {
    const at = Date.parse(text);
    return isInstant(text) && at >= earliest && at < latest;
  });
}

interface PropertySchema {
  type?: string;
  items?: PropertySchema;
}

interface ObjectSchema {
  properties?: Record<string, PropertySchema>;
}

type Reader = (values: Record<string, unknown>) => void;

function readersOf(schema: ObjectSchema): Reader[] {
  const readers: Reader[] = [bracketReader(schema)];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const read = textReader(property);
    if (property.type === "array") {
      const readItem = textReader(property.items ?? {});
      readers.push((values) => {
        const value = values[name];
        if (value !== undefined) values[name] = (Array.isArray(value) ? value : [value]).map(readItem);
      });
    } else if (property.type !== "string" && property.type !== undefined) {
      readers.push((values) => {
        if (values[name] !== undefined) values[name] = read(values[name]);
      });
    }
  }
  return readers;
}

/** A repeatable parameter is read with and without brackets at its end: `expand=…` and `expand[]=…`, whichever the schema names. */
function bracketReader({ properties = {} }: ObjectSchema): Reader {
  const aliases = Object.entries(properties)
    .filter(([, { type }]) => type === "array")
    .map(([name]) => [name, name.endsWith("[]") ? name.slice(0, -2) : `${name}[]`] as const)
    .filter(([, alias]) => properties[alias] === undefined);
  return (values) => {
    for (const [name, alias] of aliases) {
      if (values[alias] === undefined) continue;
      values[name] = [values[name] ?? [], values[alias]].flat();
      delete values[alias];
    }
  };
}

/** Leaves values that aren't exactly a number or boolean unchanged, for the validator to refuse. */
function textReader(schema: PropertySchema): (value: unknown) => unknown {
  if (schema.type === "integer") return (value) => (typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value);
  if (schema.type === "boolean") return (value) => (value === "true" ? true : value === "false" ? false : value);
  return (value) => value;
}

/** Validates with the result of `compile`, after the readers; Fastify reads the errors from the function itself. */
function onFirstUse(compile: () => ValidateFunction, readers: readonly Reader[] = []): ValidateFunction {
  let compiled: ValidateFunction | undefined;
  const validate = (values: Record<string, unknown>) => {
    compiled ??= compile();
    for (const read of readers) read(values);
    const valid = compiled(values);
    validate.errors = compiled.errors;
    return valid;
  };
  validate.errors = null as ValidateFunction["errors"];
  return validate as unknown as ValidateFunction;
}
