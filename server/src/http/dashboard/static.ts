import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { html } from "ghtml";
import { chooseLanguage, firstLanguage, languageInfo, platformErrors } from "#platform/index.ts";

/** The output folder of `scripts/dashboard.mjs`. */
const usual = new URL("../../../../web/dist/dashboard/", import.meta.url);

const types: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // The components write their colors into style elements; only those with this response's nonce are applied.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    // Recordings that were loaded with fetch.
    "media-src blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const config = { scope: "public" } as const;
const schema = { hide: true } as const;

/** The dashboard's files: one page for every address under /dashboard, and its assets, compressed at build time. */
export const dashboardFiles: FastifyPluginAsync = async (app) => {
  const built = app.runtime.dashboard ?? usual;
  const assets = new Map<string, Buffer>();
  const readPage = createPageReader(built);
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, readPage);
  app.get("/", { config, schema }, async (_request, reply) => reply.redirect("/dashboard", 302));
  app.get("/dashboard", { config, schema }, sendPage);
  app.get("/dashboard/*", { config, schema }, sendPage);
  app.get<{ Params: { file: string } }>("/dashboard/assets/:file", { config, schema }, async (request, reply) => {
    const { file } = request.params;
    const type = /^[\w.-]+-[\w-]{8}\.(js|css|svg)$/.exec(file)?.[1];
    if (type === undefined) throw platformErrors.route_missing();
    const encoding = encodingOf(request);
    const bytes = await readAsset(assets, new URL(`assets/${file}${encoding?.suffix ?? ""}`, built));
    if (bytes === null) throw platformErrors.route_missing();
    reply.headers({ "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" }).type(types[type] as string);
    if (encoding !== null) reply.header("content-encoding", encoding.name);
    return reply.send(bytes);
  });
};

/** The page is the same for every address; language, colors and nonce are inserted into each response. */
async function send(request: FastifyRequest, reply: FastifyReply, readPage: () => Promise<string | null>): Promise<FastifyReply> {
  const page = await readPage();
  const nonce = randomBytes(16).toString("base64");
  reply.headers({ "content-security-policy": policy(nonce), "x-robots-tag": "noindex, nofollow" }).type("text/html; charset=utf-8");
  if (page === null) return reply.code(503).send(notBuilt);
  const requestedLanguage = choiceOf(request, "language");
  const language = languageInfo(chooseLanguage({ requested: requestedLanguage, accepted: request.headers["accept-language"] }));
  const theme = choiceOf(request, "theme");
  const open = `<html lang="${language.html}" dir="${language.dir}"${theme === "light" || theme === "dark" ? ` data-theme="${theme}"` : ""}>`;
  const visitor = /tillpost\.session_token=/.test(request.headers.cookie ?? "") ? "known" : "nobody";
  return reply.send(
    page
      .replace(/<html[^>]*>/, open)
      .replace('name="nonce" content=""', `name="nonce" content="${nonce}"`)
      .replace('name="visitor" content=""', `name="visitor" content="${visitor}"`),
  );
}

/** Only read again if there is a newer build. */
function createPageReader(built: URL): () => Promise<string | null> {
  const file = new URL("index.html", built);
  let page: { text: string; changed: number } | null = null;
  return async () => {
    const changed = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
    if (changed === null) return null;
    if (page?.changed !== changed) page = { text: await readFile(file, "utf8"), changed };
    return page.text;
  };
}

async function readAsset(known: Map<string, Buffer>, file: URL): Promise<Buffer | null> {
  const bytes = known.get(file.href) ?? (await readFile(file).catch(() => null));
  if (bytes !== null) known.set(file.href, bytes);
  return bytes;
}

function encodingOf(request: FastifyRequest): { name: string; suffix: string } | null {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  if (/\bbr\b/.test(accepted)) return { name: "br", suffix: ".br" };
  return /\bgzip\b/.test(accepted) ? { name: "gzip", suffix: ".gz" } : null;
}

function choiceOf(request: FastifyRequest, name: string): string | undefined {
  return new RegExp(`(?:^|; )tillpost_${name}=([a-z]+)`).exec(request.headers.cookie ?? "")?.[1];
}

const notBuilt = html`<!doctype html>
<html lang="${languageInfo(firstLanguage).html}">
<head><meta charset="utf-8"><title>Tillpost</title></head>
<body><p>The dashboard is not built yet. <code>npm start</code> builds it; the API runs without it.</p></body>
</html>`;
