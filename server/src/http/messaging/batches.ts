import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { createEmailBatch, type EmailInput, emailChannel } from "#email/index.ts";
import { findBatch, listBatches } from "#messaging/index.ts";
import { type App, cursorOf, filtersOf, largeBytesMax, listOf, pageErrors, requireScope, showList, takeContents } from "#requests/index.ts";
import {
  type BatchShape,
  batchIn,
  emailBatchDocument,
  emailBatchIn,
  emailIn,
  oneOf,
  pathOf,
  refTo,
  showBatch,
  showCreatedBatch,
} from "#schemas/index.ts";
import { smsChannel } from "#sms/index.ts";
import { acceptFaults } from "./emails.ts";
import { messageListQuery, readMessageList } from "./message-lists.ts";
import { createBatchReader } from "./read-batch.ts";

const tags = ["Email"];

export const batchHeaders = Type.Object({
  "x-batch-validation": Type.Optional(
    oneOf(
      ["strict", "permissive"],
      "`strict` (the default): one invalid message refuses the whole batch. `permissive`: valid messages are accepted, and the others are listed in `errors`.",
    ),
  ),
});

/** Many messages in one request. */
export const batchRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postBatch(app);
  listRoute(app);
  getBatch(app);
};

function postBatch(app: App): void {
  const readBatch = createBatchReader<EmailInput>({ batch: emailBatchIn, item: emailIn, names: ["emails", "messages"] });
  app.post(
    "/emails/batch",
    {
      bodyLimit: largeBytesMax,
      config: {
        scope: "emails:write",
        movesMoney: true,
        errors: [...acceptFaults, "batch_too_large", "parameter_conflict"],
        document: emailBatchDocument,
      },
      schema: {
        operationId: "createEmailBatch",
        tags,
        summary: "Send up to 100 emails",
        description:
          "Each message takes the same fields as a single email. The body can be up to 35 MB. An `Idempotency-Key` covers the whole batch.",
        headers: batchHeaders,
        body: batchIn,
        response: { 201: refTo<BatchShape>("Batch") },
      },
    },
    async (request, reply) => {
      const { messaging_tier: tier } = request.principal;
      const strict = request.headers["x-batch-validation"] !== "permissive";
      const batch = readBatch(request.body);
      takeContents(request.body, batch.items);
      const made = await createEmailBatch(request.ctx, request.tenant, { tier, strict, ...batch });
      return reply.code(201).send(showCreatedBatch(request.tenant, emailChannel.name, made));
    },
  );
}

function listRoute(app: App): void {
  app.get(
    "/batches",
    {
      config: { scope: "emails:read", alsoScopes: ["sms:read"], errors: pageErrors },
      schema: {
        operationId: "listBatches",
        tags,
        summary: "List batches",
        description: "Lists the batches of the channels the key may read, each with the number of messages per status.",
        querystring: messageListQuery({}),
        response: { 200: listOf<BatchShape>("Batch", "a batch's ID") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const { rows, ...page } = await listBatches(request.ctx, request.tenant, {
        ...cursorOf(query),
        filters: { ...filtersOf(query), channel: channelsOf(request) },
      });
      return showList({ url: "/v1/batches", data: rows.map(showBatch), ...page });
    },
  );
}

function getBatch(app: App): void {
  app.get(
    "/batches/:id",
    {
      config: { scope: "emails:read", alsoScopes: ["sms:read"], errors: ["resource_missing"] },
      schema: {
        operationId: "getBatch",
        tags,
        summary: "Retrieve a batch",
        description: "Includes the number of messages per status. To list the messages, filter by `batch_id`.",
        params: pathOf("id"),
        response: { 200: refTo<BatchShape>("Batch") },
      },
    },
    async (request) => {
      const found = await findBatch(request.ctx, request.tenant, request.params.id);
      requireScope(request, scopeOf(found.batch.channel));
      return showBatch(found);
    },
  );
}

/** The channels whose batches a request can read. */
function channelsOf({ ctx, principal }: FastifyRequest): string[] {
  return ctx.channels.sending.map(({ name }) => name).filter((name) => principal.scopes.has(scopeOf(name)));
}

function scopeOf(channel: string) {
  return channel === smsChannel.name ? "sms:read" : "emails:read";
}
