import { connect } from "node:net";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp({ http: { metricsToken: "a-token-of-some-length" } });

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  examples?: unknown[];
  $ref?: string;
  [keyword: string]: unknown;
}

describe("/openapi.json", async () => {
  const document = (await app.api().get("/openapi.json")).body;
  const operations = Object.entries(document.paths as Record<string, Record<string, Schema>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

  test("references no missing schema", () => {
    const names = new Set(Object.keys(document.components.schemas));
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) expect(names).toContain(name);
  });

  test("explains every field with a sentence", () => {
    const silent: string[] = [];
    const look = (schema: Schema, path: string) => {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        if (field.$ref === undefined && (field.description ?? "") === "") silent.push(`${path}.${name}`);
        look(field, `${path}.${name}`);
      }
      if (schema.items !== undefined) look(schema.items, `${path}[]`);
    };
    for (const [name, schema] of Object.entries(document.components.schemas as Record<string, Schema>)) look(schema, name);
    for (const { name, operation } of operations) {
      for (const { schema } of Object.values(((operation.requestBody as Schema)?.content ?? {}) as Record<string, { schema: Schema }>))
        look(schema, name);
      for (const parameter of (operation.parameters ?? []) as Schema[])
        if (!parameter.description && !parameter.$ref) silent.push(`${name} ${parameter.name}`);
    }
    expect(silent).toEqual([]);
  });

  test("only shows valid examples", () => {
    const ajv = new Ajv2020({ strict: false });
    (formats as unknown as (ajv: Ajv2020) => void)(ajv);
    const wrong: string[] = [];
    const look = (schema: unknown) => {
      if (typeof schema !== "object" || schema === null) return;
      const { examples, ...rest } = schema as Schema;
      if (Array.isArray(examples) && rest.$ref === undefined)
        for (const example of examples)
          if (!ajv.validate({ ...rest, properties: rest.properties ?? {} }, example)) wrong.push(JSON.stringify(example));
      for (const inner of Object.values(rest)) look(inner);
    };
    look(document);
    expect(wrong).toEqual([]);
  });
});

test("the reference page needs no other host", async () => {
  const page = await app.api().get("/reference");
  expect(page.text).not.toMatch(/https?:\/\//);
  for (const [, path] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) expect((await app.api().get(path ?? "")).status).toBe(200);
  expect(page.headers["content-security-policy"]).toMatch(/script-src 'self';/);
});

test("every error that can be returned is on the page that doc_url leads to", async () => {
  const page = await app.api().get("/docs/errors");
  for (const code of ["rate_limited", "reference_exists", "api_key_expired", "image_unreadable"])
    expect(page.text).toContain(`id="${code}"`);
});

test("/metrics is only for loopback and holders of the token", async () => {
  const api = app.api();
  await api.get("/healthz");
  const local = await api.get("/metrics");
  expect(local.status).toBe(200);
  expect(local.text).toContain('http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}');
  expect(local.text).toContain("process_resident_memory_bytes");
  expect((await api.get("/metrics", { from: "192.0.2.1" })).status).toBe(401);
  expect((await api.get("/metrics", { from: "127.0.0.1", headers: { "x-forwarded-for": "192.0.2.1" } })).status).toBe(401);
  expect((await api.get("/metrics", { from: "192.0.2.1", headers: { authorization: "Bearer a-token-of-some-length" } })).status).toBe(200);
});

test("/metrics also requires the token on this machine if others reach the server", async () => {
  const public_ = await testApp({ publicUrl: "https://pay.example.com", http: { metricsToken: "a-token-of-some-length" } });
  expect((await public_.api().get("/metrics")).status).toBe(401);
  expect((await public_.api().get("/metrics", { headers: { authorization: "Bearer a-token-of-some-length" } })).status).toBe(200);
});

test("a page blocks other windows and the device's sensors", async () => {
  const { headers } = await app.api().get("/docs/errors");
  expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
  expect(headers["permissions-policy"]).toContain("camera=()");
});

test("refuses a request with two Host headers", async () => {
  const server = await app.server();
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as { port: number };
  const ask = (hosts: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(`GET /healthz HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join("")}Connection: close\r\n\r\n`),
      );
      let text = "";
      socket
        .on("data", (bytes) => (text += String(bytes)))
        .on("end", () => resolve(text))
        .on("error", reject);
    });
  expect(await ask(["localhost"])).toMatch(/^HTTP\/1.1 200 /);
  expect(await ask(["localhost", "evil.example"])).toMatch(/^HTTP\/1.1 400 [\s\S]*parameter_invalid/);
});

test("gives the messaging API's own address if it has one", async () => {
  const apart = await testApp();
  Object.assign(apart.ctx.mail, { baseUrl: "https://mail.example.com" });
  const { paths } = (await apart.api().get("/openapi.json")).body;
  expect(paths["/v1/emails"].post.servers).toEqual([
    { url: "https://mail.example.com", description: "The messaging API of this deployment." },
  ]);
  expect(paths["/api/v1/merchant"].get.servers).toBeUndefined();
});
