import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { documentFaults, type OpenapiDocument } from "#openapi/index.ts";
import type { Operation, Schema } from "#openapi/types.ts";
import { eventSchemas } from "#schemas/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { eventNames } from "#webhooks/index.ts";

const app = await testApp();
const fetched = async (path: string) => (await app.api().get(path)).body as OpenapiDocument;
const [own, internal] = [await fetched("/openapi.json"), await fetched("/openapi.internal.json")];

const operationsOf = (document: OpenapiDocument) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ name: `${method.toUpperCase()} ${path}`, one })),
  );

/** The parameters of an operation, read through their references. */
const parametersOf = (document: OpenapiDocument, { parameters = [] }: Operation) =>
  parameters.map((parameter) => document.components.parameters[parameter.$ref?.split("/").at(-1) ?? ""] ?? parameter);

describe.each([
  ["/openapi.json", own],
  ["/openapi.internal.json", internal],
])("%s", (_path, document) => {
  test("says everything that a reader needs about every route, with valid examples", () => {
    expect(documentFaults(document)).toEqual([]);
  });

  test("shows no internal keyword", () => {
    expect(JSON.stringify(document)).not.toMatch(/"x-(fault|sentence)"|"\$id"|patternProperties/);
  });

  test("defines bodies, lists, responses and shared parameters once", () => {
    const written: string[] = [];
    const parameters = new Map<string, string>();
    for (const { name, one } of operationsOf(document)) {
      const [good] = Object.entries(one.responses).filter(([status]) => status.startsWith("2"));
      const answered = good?.[1].content?.["application/json"]?.schema;
      for (const media of Object.values(one.requestBody?.content ?? {})) if (media.schema.$ref === undefined) written.push(`${name}: body`);
      if (answered !== undefined && answered.$ref === undefined) written.push(`${name}: answer`);
      for (const parameter of one.parameters ?? []) {
        if (parameter.$ref !== undefined) continue;
        const text = JSON.stringify(parameter);
        const before = parameters.get(text);
        if (before !== undefined) written.push(`${name}: the parameter ${parameter.name}, as ${before}`);
        parameters.set(text, name);
      }
    }
    expect(written).toEqual([]);
    // One schema has one name.
    const shapes = Object.entries(document.components.schemas).flatMap(([name, { properties, required, oneOf }]) =>
      // Two requests may happen to ask for the same.
      /(Request|Form)$/.test(name) || oneOf !== undefined || Object.keys(properties ?? {}).length < 4
        ? []
        : [[JSON.stringify([properties, required]), name] as const],
    );
    expect(
      shapes.filter(([text, name]) => shapes.some(([other, before]) => other === text && before !== name)).map(([, name]) => name),
    ).toEqual([]);
  });

  test("defines shared refusals once", () => {
    for (const { name, one } of operationsOf(document)) {
      for (const [status, answer] of Object.entries(one.responses)) {
        if (status >= "400")
          expect(
            Object.keys(answer).filter((key) => key !== "description"),
            `${name} ${status}`,
          ).toEqual(["$ref"]);
      }
    }
  });
});

// The long form compares both as a whole, and checks both with swagger-parser, redocly and spectral.
test("the internal document is the same in YAML, up to its paths", async () => {
  const [head = ""] = (await app.api().get("/openapi.internal.yaml")).text.split("\npaths:");
  const { openapi, info, servers, tags } = internal;
  expect(parseYaml(head)).toEqual({ openapi, info, servers, tags });
});

test("public routes say that they need no credentials, and the others which ones they accept", () => {
  for (const { name, one } of operationsOf(own))
    expect(one.security.length === 0, name).toBe(/\/public\/| \/(assets|recordings)\/\{id\}/.test(name));
});

test("every operation of both documents has a unique id", () => {
  const ids = [...operationsOf(own), ...operationsOf(internal)].map(({ one }) => one.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the public document has neither deprecated twins nor the dashboard's routes; the other has them, and nothing is omitted", async () => {
  const names = new Set(operationsOf(own).map(({ name }) => name));
  expect([...names].filter((name) => /\/api\/(auth|profile|admin)\//.test(name))).toEqual([]);
  expect(operationsOf(own).filter(({ one }) => one.deprecated === true)).toEqual([]);
  const others = new Set(operationsOf(internal).map(({ name }) => name));
  for (const { method, url, schema } of (await app.server()).routes) {
    const name = `${method} ${url.replace(/:(\w+)/g, "{$1}")}`;
    expect(Number(names.has(name)) + Number(others.has(name)), name).toBe(schema?.hide === true ? 0 : 1);
  }
});

test("headers that routes read are parameters, and those of responses are listed", () => {
  const create = operationsOf(own).find(({ one }) => one.operationId === "createOrder")?.one as Operation;
  expect(parametersOf(own, create).map(({ name }) => name)).toEqual(["projectId", "Idempotency-Key", "Tillpost-Environment"]);
  expect(Object.keys(create.responses["201"]?.headers ?? {})).toEqual([
    "Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "Idempotent-Replayed",
  ]);
  for (const { name, one } of operationsOf(own)) {
    const read = parametersOf(own, one).map((parameter) => parameter.name);
    if (name.startsWith("POST ")) expect(read.includes("Idempotency-Key"), name).toBe(!name.includes("/api/auth/"));
    if (name.includes("/api/auth/")) expect(JSON.stringify(one.responses), name).not.toContain("idempotency_key");
    if ("409" in one.responses && one.responses["409"]?.description.includes("version_conflict")) expect(read, name).toContain("If-Match");
  }
  expect(Object.keys(own.components.responses["TooManyRequests"]?.headers ?? {})).toContain("Retry-After");
});

test("a response repeats what its request said, except credentials", () => {
  const contradictions: string[] = [];
  for (const { name, one } of [...operationsOf(own), ...operationsOf(internal)]) {
    const sent = one.requestBody?.content["application/json"]?.example;
    const [good] = Object.entries(one.responses).filter(([status]) => status.startsWith("2"));
    const answered = good?.[1].content?.["application/json"]?.example;
    if (typeof sent !== "object" || typeof answered !== "object" || sent === null || answered === null) continue;
    const { fields: _credentials, ...fields } = sent as Record<string, unknown>;
    for (const [field, value] of Object.entries(fields)) {
      const back = (answered as Record<string, unknown>)[field];
      if (back !== undefined && back !== null && typeof back === typeof value && JSON.stringify(back) !== JSON.stringify(value))
        contradictions.push(`${name}: ${field}`);
    }
  }
  expect(contradictions).toEqual([]);
});

test("every existing event is described, by a union that `event` discriminates, and errors by all their codes", () => {
  expect(Object.keys(own.webhooks ?? {}).sort()).toEqual([...eventNames].sort());
  const union = own.components.schemas["WebhookEvent"] as Schema;
  expect(union.oneOf).toHaveLength(Object.keys(eventSchemas).length);
  const { propertyName, mapping } = union["discriminator"] as { propertyName: string; mapping: Record<string, string> };
  expect(propertyName).toBe("event");
  for (const [event, ref] of Object.entries(mapping))
    expect(own.components.schemas[ref.split("/").at(-1) ?? ""]?.properties?.["event"]?.enum).toEqual([event]);
  expect(own.components.schemas["Error"]?.properties?.["error"]?.properties?.["code"]?.enum).toContain("reference_exists");
  expect((own.components.schemas["Event"]?.properties?.["event"]?.enum ?? []).length).toBeGreaterThan(20);
});

test("all clients that haven't read a document yet share one copy of it", async () => {
  const fastify = await app.server();
  const origin = await fastify.listen({ port: 0, host: "127.0.0.1" });
  const sent: unknown[] = [];
  fastify.server.prependListener("request", (_request, reply: ServerResponse) => {
    const end = reply.end.bind(reply) as (...given: unknown[]) => ServerResponse;
    reply.end = (...given: unknown[]) => {
      sent.push(given[0]);
      return end(...given);
    };
  });
  for (const name of ["openapi.json", "openapi.yaml"]) {
    for (let count = 0; count < 2; count += 1) expect(await (await fetch(`${origin}/${name}`)).text()).not.toBe("");
    const [first, second] = sent.splice(0);
    expect([Buffer.isBuffer(first), second === first]).toEqual([true, true]);
  }
});

test("the figures of an example are consistent, and no description only repeats a name", () => {
  const exampleOf = (path: string) =>
    operationsOf(own).find(({ name }) => name === `GET ${path}`)?.one.responses["200"]?.content?.["application/json"]?.example;
  const paths = ["/api/v1/projects/{projectId}/figures", "/api/v1/wallets", "/api/v1/transactions"];
  // biome-ignore lint/suspicious/noExplicitAny: an example is whatever its schema says, which other tests hold it against.
  const [figures, wallets, transactions] = paths.map(exampleOf) as any[];
  expect(figures.from < figures.to).toBe(true);
  for (const { paid_count, paid_minor } of [...figures.days, ...figures.channels]) expect(paid_count > 0).toBe(paid_minor > 0);
  for (const { balance_minor, available_minor, pending_minor } of wallets.data) expect(available_minor + pending_minor).toBe(balance_minor);
  for (const { type, forgiven_minor } of transactions.data) expect(type === "adjustment" || forgiven_minor === 0).toBe(true);
  const idle = operationsOf(own).flatMap(({ name, one }) => {
    const text = JSON.stringify(Object.values(one.responses).map(({ content }) => content?.["application/json"]?.example));
    const found = /"(actor_id|code|error_code|file_sha256|invited_by|last4|message|name|payload|token|updated_by|url|value)":"\1"/.exec(
      text,
    );
    return found === null ? [] : [`${name}: ${found[0]}`];
  });
  expect(idle).toEqual([]);
});
