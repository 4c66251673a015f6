/** JSON Schema in the forms of the routes and of the document. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  minLength?: number;
  description?: string;
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
  style?: "deepObject";
  explode?: boolean;
}

export interface Media {
  schema: Schema;
  example?: unknown;
}

export interface Answer {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  deprecated?: boolean;
  security: Record<string, string[]>[];
  servers?: object[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Answer>;
}

type Named<T> = Record<string, T>;

/** The parts of an OpenAPI 3.1 document that are used here. */
export interface Document {
  openapi: string;
  info: object;
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Named<Named<Operation>>;
  webhooks?: Named<{ post: Operation }>;
  components: {
    securitySchemes: object;
    schemas: Named<Schema>;
    parameters: Named<Parameter>;
    headers: Named<object>;
    responses: Named<Answer>;
  };
}
