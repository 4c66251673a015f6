import type { FastifyPluginAsync } from "fastify";
import { html } from "ghtml";
import { stripTypes } from "#checkout/index.ts";
import { buildDocument, type Edition } from "#openapi/index.ts";
import { firstLanguage, languageInfo } from "#platform/index.ts";
import { listErrors } from "#requests/index.ts";

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
const dayLong = "public, max-age=86400";

/** The OpenAPI documents, the reference page, and the list of errors that `doc_url` points to. Everything is served by this host. */
export const documentRoutes: FastifyPluginAsync = async (app) => {
  const documents = new Map<Edition, object>();
  const documentOf = (edition: Edition) => {
    const known = documents.get(edition) ?? buildDocument(app, edition);
    documents.set(edition, known);
    return known;
  };
  // Written once: a megabyte of YAML takes a second on the serving thread. A text would be copied for each client until it has read it.
  const texts = new Map<string, Buffer>();
  const textOf = async (name: string, write: () => string | Promise<string>) => {
    const known = texts.get(name) ?? Buffer.from(await write());
    texts.set(name, known);
    return known;
  };
  let bundle: Buffer | null = null;
  let start: string | null = null;

  for (const [edition, name] of [
    ["public", "openapi"],
    ["internal", "openapi.internal"],
  ] as const) {
    app.get(`/${name}.json`, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .header("cache-control", "public, max-age=60")
        .type("application/json; charset=utf-8")
        .send(await textOf(`${name}.json`, () => JSON.stringify(documentOf(edition)))),
    );
    app.get(`/${name}.yaml`, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .header("cache-control", "public, max-age=60")
        .type("application/yaml; charset=utf-8")
        .send(await textOf(`${name}.yaml`, async () => (await import("yaml")).stringify(documentOf(edition)))),
    );
  }
  app.get("/reference", { schema: { hide: true } }, async (request, reply) => {
    const isSignedIn = /tillpost\.session_token=/.test(request.headers.cookie ?? "");
    return reply.header("content-security-policy", pagePolicy).type("text/html; charset=utf-8").send(referencePage(isSignedIn));
  });
  app.get("/reference/start.js", { schema: { hide: true } }, async (_request, reply) => {
    start ??= (await stripTypes([startScript])).join("");
    return reply.type("text/javascript; charset=utf-8").send(start);
  });
  app.get("/reference/scalar.js", { schema: { hide: true } }, async (_request, reply) => {
    bundle ??= await readBundle();
    return reply.header("cache-control", dayLong).type("text/javascript; charset=utf-8").send(bundle);
  });
  app.get("/docs/errors", { schema: { hide: true } }, async (_request, reply) =>
    reply.header("content-security-policy", pagePolicy).type("text/html; charset=utf-8").send(errorsPage()),
  );
};

const startScript = new URL("../../../../web/reference/start.ts", import.meta.url);

function referencePage(isSignedIn: boolean): string {
  return html`<!doctype html>
<html lang="${languageInfo(firstLanguage).html}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tillpost API</title></head>
<body><div id="reference" data-visitor="${isSignedIn ? "known" : "nobody"}"></div>
<noscript><p>This page draws the API document with JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<script src="/reference/scalar.js"></script><script src="/reference/start.js"></script></body>
</html>`;
}

/** The page's script is several megabytes: it is read on the first request, not at startup. */
async function readBundle(): Promise<Buffer> {
  const [{ default: scalar }, { default: Fastify }] = await Promise.all([import("@scalar/fastify-api-reference"), import("fastify")]);
  const shelf = Fastify();
  await shelf.register(scalar, { routePrefix: "/reference", configuration: { url: "/openapi.json" } });
  const { rawPayload } = await shelf.inject("/reference/js/scalar.js");
  await shelf.close();
  return rawPayload;
}

/** Text with its code spans as HTML. */
function inCode(markdown: string): string {
  return markdown
    .split("`")
    .map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
    .join("");
}

function errorsPage(): string {
  const rows = listErrors().map(
    (entry) =>
      html`<tr id="${entry.code}"><td>${entry.status}</td><td><code>${entry.code}</code></td><td>${entry.message}</td><td>!${inCode(entry.remedy)}</td></tr>`,
  );
  return html`<!doctype html>
<html lang="${languageInfo(firstLanguage).html}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Errors of the Tillpost API</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
.wide { overflow-x: auto; }
code { overflow-wrap: anywhere; }
tr:target { background: color-mix(in srgb, gold 35%, transparent); }
</style></head>
<body><h1>Errors</h1>
<p>Every response with status 400 or higher has the same shape. Base your code on <code>error.code</code>; the message is for people and can change.</p>
<div class="wide"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th><th>What to do</th></tr></thead><tbody>!${rows.join("")}</tbody></table></div></body>
</html>`;
}
