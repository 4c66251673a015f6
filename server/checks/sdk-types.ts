/** Parts of JSON Schema that the product's own OpenAPI document uses. */
interface Shape {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Shape[];
  allOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: boolean | Shape;
  description?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Shape;
}

type Content = Record<string, { schema?: Shape }>;

interface Operation {
  deprecated?: boolean;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses?: Record<string, { content?: Content }>;
}

export interface OpenapiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Shape> };
}

const head = "// Written by `npm run generate` from the routes of the server. Do not edit.\n";

/** `sdk/src/generated/api.ts`: every object of the API, and for each route what goes in and what comes back. Deprecated aliases are left out. */
export function sdkTypes({ paths, components }: OpenapiDocument): string {
  const objects = Object.entries(components.schemas).map(([name, shape]) => `${comment(shape.description, 2)}  ${name}: ${typeOf(shape, 2)};`);
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.deprecated !== true)
      .map(([method, operation]) => routeOf(`${method.toUpperCase()} ${path}`, operation)),
  );
  return `${head}\nexport interface Objects {\n${objects.join("\n")}\n}\n\nexport interface Routes {\n${routes.join("\n")}\n}\n`;
}

function routeOf(name: string, operation: Operation): string {
  const body = operation.requestBody?.content["application/json"]?.schema;
  const upload = Object.keys(operation.requestBody?.content ?? {}).includes("multipart/form-data");
  const lines = [
    `path: ${parametersOf(operation, "path")};`,
    `query: ${parametersOf(operation, "query")};`,
    `body: ${[...(body === undefined ? [] : [typeOf(body, 4)]), ...(upload ? ["FormData"] : [])].join(" | ") || "undefined"};`,
    `answer: ${answerOf(operation)};`,
  ];
  return `${comment(operation.summary, 2)}  ${JSON.stringify(name)}: {\n${lines.map((line) => `    ${line}`).join("\n")}\n  };`;
}

function answerOf({ responses = {} }: Operation): string {
  const shapes = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content = {} }]) => content["application/json"]?.schema ?? []);
  return [...new Set(shapes.map((shape) => typeOf(shape, 4)))].join(" | ") || "undefined";
}

function parametersOf({ parameters = [] }: Operation, place: string): string {
  const own = parameters.filter((parameter) => parameter.in === place);
  const fields = own.map(({ name, required, schema = {} }) => `${keyOf(name)}${required === true ? "" : "?"}: ${typeOf(schema, 6)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
}

function typeOf(shape: Shape, indent: number): string {
  if (shape.$ref !== undefined) return `Objects[${JSON.stringify(shape.$ref.split("/").at(-1))}]`;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((value) => JSON.stringify(value)).join(" | ");
  const union = shape.anyOf ?? (Array.isArray(shape.type) ? shape.type.map((type) => ({ ...shape, type })) : null);
  if (union !== null) return [...new Set(union.map((one) => typeOf(one, indent)))].join(" | ");
  if (shape.allOf !== undefined) return shape.allOf.map((one) => typeOf(one, indent)).join(" & ");
  if (shape.type === "null") return "null";
  if (shape.type === "array") return `${grouped(typeOf(shape.items ?? {}, indent))}[]`;
  if (shape.type === "object" || shape.properties !== undefined) return objectOf(shape, indent);
  return { string: "string", integer: "number", number: "number", boolean: "boolean" }[String(shape.type)] ?? "unknown";
}

function objectOf({ properties = {}, required = [], additionalProperties }: Shape, indent: number): string {
  const margin = " ".repeat(indent + 2);
  const fields = Object.entries(properties).map(
    ([name, field]) => `${comment(field.description, indent + 2)}${margin}${keyOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(field, indent + 2)};`,
  );
  if (fields.length > 0) return `{\n${fields.join("\n")}\n${" ".repeat(indent)}}`;
  return `Record<string, ${typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown"}>`;
}

function grouped(type: string): string {
  return /[|&]/.test(type) && !/^[{[]/.test(type) ? `(${type})` : type;
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function comment(text: string | undefined, indent: number): string {
  return text === undefined ? "" : `${" ".repeat(indent)}/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", " ")} */\n`;
}
