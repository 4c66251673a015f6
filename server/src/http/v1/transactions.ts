import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import {
  type ExportFormat,
  exportTransactions,
  exportWallets,
  findTransaction,
  findWallet,
  listTransactions,
  listWallets,
  type TransactionFilters,
} from "#ledger/index.ts";
import { platformErrors } from "#platform/index.ts";
import {
  type App,
  cursorOf,
  exportZone,
  type ListInput,
  listOf,
  listQuery,
  many,
  readList,
  showList,
  zoneOfRequest,
} from "#requests/index.ts";
import { oneOf, pathOf, refTo, strict, type TransactionShape, transactionTypes, type WalletShape } from "#schemas/index.ts";

const exportTypes = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" } as const;
const ofProject = Type.Optional(
  Type.String({
    maxLength: 40,
    description: "For signed-in people: the project, if it isn't the active one. A key belongs to one project and can't use another.",
  }),
);
const asFile = {
  format: Type.Optional(oneOf(["json", "csv", "jsonl"], "`csv` or `jsonl` exports all matching objects, without pages.")),
  time_zone: exportZone,
};
const errors = ["invalid_cursor", "parameter_conflict", "project_mismatch"];

export const transactionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  listTransactionsRoute(app);
  listWalletsRoute(app);
  getTransactionRoute(app);
  getWalletRoute(app);
};

const byId = { params: pathOf("id"), querystring: strict({ project_id: ofProject }) };
const missing = () => platformErrors.resource_missing({ param: "id" });

function getTransactionRoute(app: App): void {
  app.get(
    "/transactions/:id",
    {
      config: { scope: "payments:read", errors: ["resource_missing", "project_mismatch"] },
      schema: {
        operationId: "getTransaction",
        tags: ["Transactions and wallets"],
        summary: "Retrieve a transaction",
        ...byId,
        response: { 200: refTo<TransactionShape>("Transaction") },
      },
    },
    async (request) => {
      const found = await findTransaction(request.ctx, request.tenant, request.params.id);
      if (found === null) throw missing();
      return found;
    },
  );
}

function getWalletRoute(app: App): void {
  app.get(
    "/wallets/:id",
    {
      config: { scope: "payments:read", errors: ["resource_missing", "project_mismatch"] },
      schema: {
        operationId: "getWallet",
        tags: ["Transactions and wallets"],
        summary: "Retrieve a wallet",
        ...byId,
        response: { 200: refTo<WalletShape>("Wallet") },
      },
    },
    async (request) => {
      const found = await findWallet(request.ctx, request.tenant, request.params.id);
      if (found === null) throw missing();
      return found;
    },
  );
}

function listTransactionsRoute(app: App): void {
  app.get(
    "/transactions",
    {
      config: { scope: "payments:read", errors },
      schema: {
        operationId: "listTransactions",
        tags: ["Transactions and wallets"],
        summary: "List or export transactions",
        description:
          "The ledger of the key's project and environment, newest first. With `format`, or with `Accept: text/csv` or `application/jsonl`, returns the whole filtered list as a file. CSV also has local times in `time_zone`, which defaults to the project's time zone.",
        querystring: listQuery({
          status: ["completed", "held", "reversed"],
          reference: true,
          gateway: true,
          currency: true,
          more: {
            project_id: ofProject,
            type: many("Only these types. Can be repeated. `payout` is reserved and matches nothing.", {
              enum: [...transactionTypes],
            }),
            order_id: many("Only transactions of these orders. Can be repeated."),
            ...asFile,
          },
        }),
        response: { 200: listOf<TransactionShape>("Transaction", "a transaction's ID") },
      },
    },
    async (request, reply) => {
      const query = readList(request.query);
      const filters = filtersOf(query, request.query);
      const file = await fileOf(request, reply);
      if (file !== null)
        return sendFile(reply, {
          ...file,
          name: "transactions",
          lines: exportTransactions(request.ctx, request.tenant, { ...file, filters }),
        });
      const page = await listTransactions(request.ctx, request.tenant, { ...cursorOf(query), filters });
      if (page === null) throw unknownCursor(query);
      return showList({ url: "/api/v1/transactions", ...page, upwards: query.ending_before !== null });
    },
  );
}

function listWalletsRoute(app: App): void {
  app.get(
    "/wallets",
    {
      config: { scope: "payments:read", errors },
      schema: {
        operationId: "listWallets",
        tags: ["Transactions and wallets"],
        summary: "List or export wallets",
        description:
          "One wallet for each gateway and currency that has received money. With `format`, or with `Accept: text/csv` or `application/jsonl`, returns all of them as a file.",
        querystring: listQuery({ gateway: true, currency: true, created: false, more: { project_id: ofProject, ...asFile } }),
        response: { 200: listOf<WalletShape>("Wallet", "a wallet's ID") },
      },
    },
    async (request, reply) => {
      const query = readList(request.query);
      const filters = present({ gateway: query.gateway, currency: query.currency });
      const file = await fileOf(request, reply);
      if (file !== null)
        return sendFile(reply, { ...file, name: "wallets", lines: exportWallets(request.ctx, request.tenant, { ...file, ...filters }) });
      const page = await listWallets(request.ctx, request.tenant, { ...cursorOf(query), ...filters });
      if (page === null) throw unknownCursor(query);
      return showList({ url: "/api/v1/wallets", ...page, upwards: query.ending_before !== null });
    },
  );
}

/** The requested file; null for a page. */
async function fileOf(request: FastifyRequest, reply: FastifyReply): Promise<{ format: ExportFormat; time_zone: string } | null> {
  const query = request.query as Record<string, unknown>;
  const format = formatOf({ headers: request.headers, query });
  reply.header("vary", "accept");
  return format === "json" ? null : { format, time_zone: await zoneOfRequest(request, query["time_zone"] as string | undefined) };
}

function sendFile(
  reply: FastifyReply,
  { format, name, lines }: { format: ExportFormat; name: string; lines: AsyncIterable<string> },
): never {
  reply.request.waitLimit.lift();
  const file = Readable.from(lines);
  return reply
    .type(exportTypes[format])
    .header("content-disposition", `attachment; filename="${name}.${format}"`)
    .send(file as never) as never;
}

/** The format in the query, otherwise the one that `Accept` prefers; everything but an export is JSON. */
function formatOf(request: Pick<FastifyRequest, "headers"> & { query: Record<string, unknown> }): ExportFormat | "json" {
  if (request.query.format !== undefined) return request.query.format as ExportFormat | "json";
  const first = request.headers.accept?.split(",")[0]?.split(";")[0]?.trim().toLowerCase();
  if (first === "text/csv") return "csv";
  return first === "application/jsonl" || first === "application/x-ndjson" ? "jsonl" : "json";
}

function filtersOf(query: ListInput, given: Record<string, unknown>): TransactionFilters {
  const lists = {
    status: query.status,
    type: given.type,
    reference: query.reference,
    gateway: query.gateway,
    currency: query.currency,
    order_id: given.order_id,
  };
  const { gte, gt, lte, lt } = query.created;
  const created = Object.fromEntries(Object.entries({ gte, gt, lte, lt }).filter(([, at]) => at !== null));
  return { ...present(lists), ...(Object.keys(created).length === 0 ? {} : { created }) };
}

function present(lists: Record<string, unknown>): Record<string, never> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => Array.isArray(list) && list.length > 0)) as Record<string, never>;
}

function unknownCursor(query: ListInput): Error {
  return platformErrors.invalid_cursor({ param: query.starting_after === null ? "ending_before" : "starting_after" });
}
