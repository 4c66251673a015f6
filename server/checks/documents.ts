import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildApp } from "#app/build-app.ts";
import { envExample, settingsMarkdown } from "#app/settings-documents.ts";
import { defaultHttpSettings, listErrors, openapiOf } from "#http/index.ts";
import { type Database, type FileStore, migrate, openDatabase } from "#platform/index.ts";
import { contextOn } from "../test/context.ts";
import { withServer } from "../test/postgres.ts";
import { schemaDocument } from "./schema-document.ts";
import { type OpenapiDocument, sdkTypes } from "./sdk-types.ts";
import { type Fault, readSources } from "./sources.ts";
import { readStatements } from "./statements.ts";
import { tenantExceptions } from "./tidy/statements.ts";

/** Documents that are written by `npm run generate`, as they should stand now, by path. */
export async function generateDocuments(root: string): Promise<Map<string, string>> {
  const fromDatabase = await withServer(async (url) => {
    await migrate(url, new URL("../migrations/", import.meta.url));
    const database = openDatabase({ url, max: 2 });
    try {
      return { "docs/schema.sql": await schemaDocument(database.db), ...(await httpDocuments(database)) };
    } finally {
      await database.close();
    }
  });
  return new Map(
    Object.entries({
      ...fromDatabase,
      "docs/errors.md": errorsMarkdown(),
      "docs/settings.md": settingsMarkdown(),
      ".env.example": envExample(),
      "docs/tenant-exceptions.md": tenantExceptions(readStatements(readSources(root))),
    }),
  );
}

export async function writeDocuments(root: string): Promise<string[]> {
  const documents = await generateDocuments(root);
  for (const [path, text] of documents) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return [...documents.keys()];
}

/** Documents that no longer say what the code does. */
export async function documentFaults(root: string): Promise<Fault[]> {
  return outdated(await generateDocuments(root), (path) => readFile(join(root, path), "utf8").catch(() => null));
}

export async function outdated(documents: Map<string, string>, read: (path: string) => Promise<string | null>): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [path, text] of documents) {
    if ((await read(path)) !== text) faults.push({ path, message: "is out of date: run `npm run generate`, read what changed, and commit it" });
  }
  return faults;
}

const noFiles: FileStore = { put: async () => {}, get: async () => null, remove: async () => {} };

async function httpDocuments(database: Database): Promise<Record<string, string>> {
  const app = await buildApp({ ctx: contextOn(database, { now: () => new Date(0), files: noFiles }), database, settings: defaultHttpSettings });
  try {
    const openapi = `${JSON.stringify(openapiOf(app), null, 2)}\n`;
    const types = sdkTypes(JSON.parse(openapi) as OpenapiDocument);
    const routes = app.routes.map(({ method, url, config }) => `${method.padEnd(6)} ${url}  ${config.scope ?? "public"}`);
    return { "docs/openapi.json": openapi, "sdk/src/generated/api.ts": types, "docs/routes.txt": `${routes.sort(byPath).join("\n")}\n` };
  } finally {
    await app.close();
  }
}

function byPath(left: string, right: string): number {
  return left.slice(7) < right.slice(7) ? -1 : left.slice(7) > right.slice(7) ? 1 : left < right ? -1 : 1;
}

function errorsMarkdown(): string {
  const rows = listErrors().map((entry) => `| ${entry.status} | \`${entry.code}\` | \`${entry.type}\` | ${entry.message} |`);
  return [
    "# Errors",
    "",
    "Every answer from 400 up has one shape. Programs decide by `error.code`; the sentence is for people.",
    "",
    "| Status | Code | Type | Sentence |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
