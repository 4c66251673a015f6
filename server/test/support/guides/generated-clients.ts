import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import fetchClient from "openapi-fetch";
import openapiTs, { astToString } from "openapi-typescript";
import ts from "typescript";
import { expect, test } from "vitest";
import type { TestApp } from "#test/support/app/test-app.ts";

const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/**
 * What a program that uses a generated client does: creates the same order twice under one Idempotency-Key, and reads a delivery by its
 * event.
 */
interface ClientProgram {
  orderTwice(given: {
    baseUrl: string;
    key: string;
    projectId: string;
    fetchClient: typeof fetchClient;
  }): Promise<{ ids: (string | undefined)[]; replayed: string | null }>;
  tell(event: unknown): string;
}

const narrowing = `
export function tell(event: WebhookEvent): string {
  switch (event.event) {
    case "order.paid":
      return event.data.order.reference + " " + event.data.order.paid_at;
    case "order.payment_pending_verify":
      return event.data.payment_session.gateway + " " + (event.data.voucher?.id ?? "");
    case "transaction.completed":
      return String(event.data.transaction.amount_minor);
    case "email.bounced":
      return event.data.email.subject + " " + (event.data.bounce?.diagnostic ?? "");
    case "suppression.created":
      return event.data.suppression.address;
    default:
      return event.event;
  }
}
export function tellWrongly(event: WebhookEvent): string {
  // @ts-expect-error An order has no subject: only a union that is told apart by its event refuses this.
  return event.event === "order.paid" ? event.data.email.subject : "";
}
`;

const withOpenapiTypescript = `
import type { components, paths } from "./schema.ts";
type WebhookEvent = components["schemas"]["WebhookEvent"];
type ErrorCode = components["schemas"]["Error"]["error"]["code"];
export const known: ErrorCode = "reference_exists";
export async function orderTwice({ baseUrl, key, projectId, fetchClient }: { baseUrl: string; key: string; projectId: string; fetchClient: typeof import("openapi-fetch").default }) {
  const client = fetchClient<paths>({ baseUrl, headers: { authorization: "Bearer " + key } });
  const order = () =>
    client.POST("/api/v1/projects/{projectId}/orders", {
      params: { path: { projectId }, header: { "Idempotency-Key": "cart-17" } },
      body: { amount_minor: 8800, currency: "CNY", metadata: { cart: "17" } },
    });
  const [first, second] = [await order(), await order()];
  return { ids: [first.data?.id, second.data?.payment_link === null ? undefined : second.data?.id], replayed: second.response.headers.get("idempotent-replayed") };
}
${narrowing}`;

const withHeyApi = `
import { createClient } from "./client/client/index.ts";
import { createOrder } from "./client/sdk.gen.ts";
import type { WebhookEvent } from "./client/types.gen.ts";
export async function orderTwice({ baseUrl, key, projectId }: { baseUrl: string; key: string; projectId: string }) {
  const client = createClient({ baseUrl, auth: key });
  const order = () =>
    createOrder({ client, path: { projectId }, headers: { "Idempotency-Key": "cart-18" }, body: { amount_minor: 8800, currency: "CNY", metadata: { cart: "18" } } });
  const [first, second] = [await order(), await order()];
  return { ids: [first.data?.id, second.data?.id], replayed: second.response?.headers.get("idempotent-replayed") ?? null };
}
${narrowing}`;

/** Generates the client of openapi-typescript for a document into a separate folder, with a program that uses it. */
async function generatePlainClient(document: object): Promise<{ folder: string; program: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-clients-"));
  await symlink(modules, join(folder, "node_modules"), "junction");
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const plain = join(folder, "plain");
  await mkdir(plain);
  await writeFile(join(plain, "schema.ts"), astToString(await openapiTs(structuredClone(document) as never)));
  const program = join(plain, "program.ts");
  await writeFile(program, withOpenapiTypescript);
  return { folder, program };
}

/** The same with the client of @hey-api/openapi-ts too. */
export async function generateClients(document: object): Promise<{ folder: string; programs: [plain: string, hey: string] }> {
  const { folder, program } = await generatePlainClient(document);
  const hey = join(folder, "hey");
  const { createClient } = await import("@hey-api/openapi-ts");
  await createClient({
    input: structuredClone(document) as never,
    output: { path: join(hey, "client"), module: { extension: ".ts" } },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  await writeFile(join(hey, "program.ts"), withHeyApi);
  return { folder, programs: [program, join(hey, "program.ts")] };
}

/** The compiler's complaints about the programs, as strict as for our own code; empty if they compile. */
export function compileFaults(programs: readonly string[]): string[] {
  const program = ts.createProgram([...programs], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    allowImportingTsExtensions: true,
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const at = file === undefined || start === undefined ? "" : `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} `;
    return at + ts.flattenDiagnosticMessageText(messageText, " ");
  });
}

/** What a program with a generated client has to do on a server; `delivery` is the document's example of order.paid. */
export function clientContract(app: TestApp, program: string, delivery: unknown): void {
  test("sends an Idempotency-Key, so that an order created twice is one", async () => {
    const { orderTwice } = (await import(pathToFileURL(program).href)) as ClientProgram;
    const server = await app.server();
    if (!server.server.listening) await server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = server.server.address() as { port: number };
    const shop = await app.tenant();
    const { ids, replayed } = await orderTwice({
      baseUrl: `http://127.0.0.1:${port}`,
      key: shop.key,
      projectId: shop.project_id,
      fetchClient,
    });
    expect(ids[0]).toMatch(/^ord_/);
    expect(ids[1]).toBe(ids[0]);
    expect(replayed).toBe("true");
  });

  test("reads the document's own example of a delivery", async () => {
    const { tell } = (await import(pathToFileURL(program).href)) as ClientProgram;
    expect(tell(delivery)).toBe("INV-1001 2026-11-20T14:42:00.000Z");
  });
}
