import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildApp } from "#app/build-app.ts";
import { envExample, settingsMarkdown } from "#app/settings-documents.ts";
import { buildDocument, type OpenapiDocument, documentFaults as openapiFaults } from "#openapi/index.ts";
import { type Database, type FileStore, migrate, openDatabase } from "#platform/index.ts";
import { defaultHttpSettings, listErrors } from "#requests/index.ts";
import { contextOn } from "../test/support/app/context.ts";
import { withServer } from "../test/support/database/postgres.ts";
import { type Fault, readSources } from "./read/sources.ts";
import { readStatements } from "./read/statements.ts";
import { reasonsMarkdown } from "./reasons-document.ts";
import { schemaDocument } from "./schema-document.ts";
import { sdkTypes } from "./sdk-types.ts";
import { tenantExceptions } from "./tidy/statements.ts";

/** Documents that are written by `npm run generate`, as they should stand now, by path; and what is missing from what they are made of. */
export async function generateDocuments(root: string): Promise<{ documents: Map<string, string>; faults: string[] }> {
  const faults: string[] = [];
  const fromDatabase = await withServer(async (url) => {
    await migrate(url, new URL("../migrations/", import.meta.url));
    const database = openDatabase({ url, max: 2 });
    try {
      return { "docs/schema.sql": await schemaDocument(database.db), ...(await httpDocuments(database, faults)) };
    } finally {
      await database.close();
    }
  });
  const documents = new Map(
    Object.entries({
      ...fromDatabase,
      "docs/errors.md": `${errorsMarkdown()}\n${reasonsMarkdown(readSources(root))}`,
      "docs/settings.md": settingsMarkdown(),
      ".env.example": envExample(),
      "web/language/languages.ts": await copyForWeb(root, "server/src/platform/languages/languages.ts"),
      "web/language/currencies.ts": await copyForWeb(root, "server/src/platform/money/currencies.ts"),
      "docs/tenant-exceptions.md": tenantExceptions(readStatements(readSources(root))),
    }),
  );
  return { documents, faults };
}

export async function writeDocuments(root: string): Promise<string[]> {
  const { documents } = await generateDocuments(root);
  for (const [path, text] of documents) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return [...documents.keys()];
}

/** Documents that no longer say what the code does, and routes that do not say enough for them. */
export async function documentFaults(root: string): Promise<Fault[]> {
  const { documents, faults } = await generateDocuments(root);
  const incomplete = faults.map((message) => ({ path: "docs/openapi.json", message }));
  const old = await outdated(documents, (path) => readFile(join(root, path), "utf8").catch(() => null));
  return [...incomplete, ...old];
}

export async function outdated(documents: Map<string, string>, read: (path: string) => Promise<string | null>): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [path, text] of documents) {
    if ((await read(path)) !== text)
      faults.push({ path, message: "is out of date: run `npm run generate`, read what changed, and commit it" });
  }
  return faults;
}

const noFiles: FileStore = { put: async () => {}, get: async () => null, remove: async () => {} };

async function httpDocuments(database: Database, faults: string[]): Promise<Record<string, string>> {
  const app = await buildApp({
    ctx: contextOn(database, { now: () => new Date(0), files: noFiles }),
    database,
    settings: defaultHttpSettings,
  });
  try {
    const [own, internal] = [buildDocument(app, "public"), buildDocument(app, "internal")];
    faults.push(...openapiFaults(own), ...openapiFaults(internal));
    const types = sdkTypes([own, internal]);
    const routes = app.routes.map(({ method, url, config }) => `${method.padEnd(6)} ${url}  ${config.scope ?? "public"}`);
    return {
      "docs/openapi.json": asJson(own),
      "docs/openapi.internal.json": asJson(internal),
      "sdk/src/generated/api.ts": types,
      "docs/routes.txt": `${routes.sort(byPath).join("\n")}\n`,
    };
  } finally {
    await app.close();
  }
}

/** Such a list is data of both sides, and neither side imports the other. */
async function copyForWeb(root: string, list: string): Promise<string> {
  return `// Written by \`npm run generate\` from ${list}. Do not edit.\n\n${await readFile(join(root, list), "utf8")}`;
}

function asJson(document: OpenapiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function byPath(left: string, right: string): number {
  return left.slice(7) < right.slice(7) ? -1 : left.slice(7) > right.slice(7) ? 1 : left < right ? -1 : 1;
}

function errorsMarkdown(): string {
  const rows = listErrors().map(
    (entry) => `| ${entry.status} | <a id="${entry.code}"></a>\`${entry.code}\` | \`${entry.type}\` | ${entry.message} | ${entry.remedy} |`,
  );
  return [
    "# Errors",
    "",
    "Every response with status 400 or higher has the same shape. Base your code on `error.code` and the [reasons](#reasons) in `error.details`; the message is for people and can change. An error's `doc_url` links to its entry on the server's own `/docs/errors`.",
    "",
    "| Status | Code | Type | Message | What to do |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
