import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import type fetchClient from "openapi-fetch";
import openapiTs, { astToString } from "openapi-typescript";
import ts from "typescript";

const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/**
 * What a program that uses a generated client does: creates the same order twice under one Idempotency-Key, and reads a delivery by its
 * event.
 */
export interface ClientProgram {
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

/** Generates both clients of a document into a separate folder, with a program for each. */
export async function generateClients(document: object): Promise<{ folder: string; programs: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-clients-"));
  await symlink(modules, join(folder, "node_modules"), "junction");
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const [plain, hey] = [join(folder, "plain"), join(folder, "hey")];
  await mkdir(plain);
  await writeFile(join(plain, "schema.ts"), astToString(await openapiTs(structuredClone(document) as never)));
  await writeFile(join(plain, "program.ts"), withOpenapiTypescript);
  await createClient({
    input: structuredClone(document) as never,
    output: { path: join(hey, "client"), module: { extension: ".ts" } },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  await writeFile(join(hey, "program.ts"), withHeyApi);
  return { folder, programs: [join(plain, "program.ts"), join(hey, "program.ts")] };
}

/** The compiler's complaints about the programs, as strict as for our own code; empty if they compile. */
export function compileFaults(programs: string[]): string[] {
  const program = ts.createProgram(programs, {
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
