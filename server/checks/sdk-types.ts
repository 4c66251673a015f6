import type { OpenapiDocument } from "#openapi/index.ts";

type Shape = OpenapiDocument["components"]["schemas"][string];
type Operation = OpenapiDocument["paths"][string][string];
type Parameter = NonNullable<Operation["parameters"]>[number];

const head = "// Written by `npm run generate` from the routes of the server. Do not edit.\n";

/** `sdk/src/generated/api.ts`: every object of the API, and the request and response of each route. Deprecated aliases are omitted. */
export function sdkTypes(documents: OpenapiDocument[]): string {
  const shapes = new Map(documents.flatMap(({ components }) => Object.entries(components.schemas)));
  const objects = [...shapes].map(([name, shape]) => `${comment(shape.description, 2)}  ${name}: ${typeOf(shape, 2)};`);
  const routes = documents.flatMap(({ paths, components }) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => operation.deprecated !== true)
        .map(([method, operation]) => routeOf(`${method.toUpperCase()} ${path}`, withParameters(operation, components.parameters))),
    ),
  );
  return `${head}\nexport interface Objects {\n${objects.join("\n")}\n}\n\nexport interface Routes {\n${routes.join("\n")}\n}\n`;
}

function withParameters(operation: Operation, shared: Record<string, Parameter>): Operation {
  const own = (operation.parameters ?? []).map((parameter) =>
    parameter.$ref === undefined ? parameter : (shared[parameter.$ref.split("/").at(-1) ?? ""] as Parameter),
  );
  return { ...operation, parameters: own };
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
    .map(([, answer]) => answer.content?.["application/json"]?.schema)
    .filter((shape) => shape !== undefined);
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
  if (shape.enum !== undefined) return shape.enum.map((value: unknown) => JSON.stringify(value)).join(" | ");
  const union = shape.anyOf ?? shape.oneOf ?? (Array.isArray(shape.type) ? shape.type.map((type) => ({ ...shape, type })) : null);
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
    ([name, field]) =>
      `${comment(field.description, indent + 2)}${margin}${keyOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(field, indent + 2)};`,
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
