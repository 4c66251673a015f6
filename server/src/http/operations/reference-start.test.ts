import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const script = stripTypeScriptTypes(readFileSync(new URL("../../../../web/reference/start.ts", import.meta.url), "utf8"));
const page = new URL("https://pay.example.com/reference");
const own = "prj_own";

/** What the page's library is given. */
interface Configuration {
  content: {
    components: { parameters: { ProjectIdInPath: { example: string }; IdempotencyKey: { example: string } } };
    paths: { orders: { post: { requestBody: { content: { "application/json": { example: { reference: string } } } } } } };
  };
  customFetch(input: Request): Promise<Response>;
  [setting: string]: unknown;
}

interface Sent {
  url: string;
  reference: unknown;
  headers: Record<string, string>;
}

/** Runs the page's script for a visitor. */
async function openPage(visitor: "known" | "nobody") {
  const sent: Sent[] = [];
  const { promise, resolve } = Promise.withResolvers<Configuration>();
  const document = {
    components: { parameters: { ProjectIdInPath: { example: "" }, IdempotencyKey: { example: "" } } },
    paths: { orders: { post: { requestBody: { content: { "application/json": { example: { reference: "INV-1" } } } } } } },
  };
  runInNewContext(script, {
    ...{ URL, Request, Headers, location: page },
    document: { querySelector: () => ({ dataset: { visitor } }) },
    Scalar: { createApiReference: (_place: string, configuration: Configuration) => resolve(configuration) },
    fetch: async (url: string, { headers, body }: { headers?: Headers; body?: string } = {}) => {
      if (url === "/openapi.json") return Response.json(document);
      if (url === "/api/v1/projects?limit=100") return Response.json({ data: [{ id: own, slug: "shop" }] });
      sent.push({ url, reference: JSON.parse(body ?? "{}").reference, headers: Object.fromEntries(headers ?? []) });
      return Response.json({}, { status: 201 });
    },
  });
  const configuration = await promise;
  const { parameters } = configuration.content.components;
  const { reference } = configuration.content.paths.orders.post.requestBody.content["application/json"].example;
  /** Sends the example, as a press of the button does. */
  const press = (credentials: Record<string, string>) =>
    configuration.customFetch(
      new Request(`https://elsewhere.example/api/v1/projects/${parameters.ProjectIdInPath.example}/orders`, {
        method: "POST",
        headers: { ...credentials, "content-type": "application/json", "idempotency-key": parameters.IdempotencyKey.example },
        body: JSON.stringify({ reference, amount_minor: 9900 }),
      }),
    );
  return { configuration, sent, press };
}

test("with a pasted key a request goes to the key's own project on this server, and each press sends new values", async () => {
  const { sent, press } = await openPage("nobody");
  for (let time = 0; time < 2; time += 1) await press({ authorization: "Bearer svc_test_1" });
  const address = `${page.origin}/api/v1/projects/${own}/orders`;
  expect(sent).toMatchObject([
    { url: address, headers: { authorization: "Bearer svc_test_1" } },
    { url: address, headers: { authorization: "Bearer svc_test_1" } },
  ]);
  expect(new Set(sent.map(({ reference }) => reference)).size).toBe(2);
  expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
});

test("a signed-in person sends the first request as is, in TEST, and the page requests nothing from other hosts", async () => {
  const { configuration, sent, press } = await openPage("known");
  expect(configuration.content.components.parameters.ProjectIdInPath.example).toBe(own);
  await press({});
  expect(sent).toMatchObject([{ url: `${page.origin}/api/v1/projects/${own}/orders`, headers: { "tillpost-environment": "test" } }]);
  expect(configuration).toMatchObject({ proxyUrl: "", withDefaultFonts: false, telemetry: false });
});
