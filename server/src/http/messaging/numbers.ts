import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { channelsOf, deleteNumber, findNumber, listNumbers, type NumberChannel, type NumberInput, requestNumber } from "#numbers/index.ts";
import { type App, cursorOf, filtersOf, listOf, many, pageErrors, requireScope, showList } from "#requests/index.ts";
import { type NumberShape, numberIn, numberKinds, numberStatuses, pathOf, refTo, showNumber } from "#schemas/index.ts";
import { messageListQuery, readMessageList } from "./message-lists.ts";

const tags = ["Numbers"];
const params = pathOf("id");
const reads = { scope: "sms:read", alsoScopes: ["calls:read"] } as const;
const writes = { scope: "sms:write", alsoScopes: ["calls:write"] } as const;
const scopes = { sms: "sms:write", call: "calls:write" } as const;

/** Sender numbers and names. */
export const numberRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postNumber(app);
  listRoute(app);
  getNumber(app);
  remove(app);
};

/** Throws permission_denied for the first channel that the caller can't write to. */
function requireChannels(request: FastifyRequest, channels: readonly NumberChannel[]): void {
  for (const channel of channels) requireScope(request, scopes[channel]);
}

/** The requested channels, otherwise those of the number that the caller can write to. Throws permission_denied. */
function channelsFor(request: FastifyRequest, { value, channels }: Pick<NumberInput, "value" | "channels">): readonly NumberChannel[] {
  const mine = (["sms", "call"] as const).filter((channel) => request.principal.scopes.has(scopes[channel]));
  const wanted = channels ?? channelsOf(value, mine);
  requireChannels(request, wanted.length === 0 ? ["sms"] : wanted);
  return wanted;
}

function postNumber(app: App): void {
  app.post(
    "/numbers",
    {
      config: { ...writes, errors: ["limit_reached"] },
      schema: {
        operationId: "createNumber",
        tags,
        summary: "Request a number or sender name",
        description:
          "An operator reviews the request; the decision is sent as `number.approved` or `number.rejected`. In TEST, requests are approved right away, except `+15005550007`, which is rejected. You can request a rejected number again. Needs `sms:write` for `sms` and `calls:write` for `call`.",
        body: numberIn,
        response: { 201: refTo<NumberShape>("ProjectNumber") },
      },
    },
    async (request, reply) => {
      const channels = channelsFor(request, request.body);
      const input = { ...request.body, channels };
      return reply.code(201).send(showNumber(await requestNumber(request.ctx, request.tenant, input)));
    },
  );
}

function listRoute(app: App): void {
  app.get(
    "/numbers",
    {
      config: { ...reads, errors: pageErrors },
      schema: {
        operationId: "listNumbers",
        tags,
        summary: "List numbers and sender names",
        querystring: messageListQuery({
          status: numberStatuses,
          more: { kind: many("Only this kind. Can be repeated.", { enum: [...numberKinds] }) },
        }),
        response: { 200: listOf<NumberShape>("ProjectNumber", "a number's ID") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const { kind } = request.query as { kind?: string[] };
      const filters = { ...filtersOf(query), ...(kind === undefined ? {} : { kind }) };
      const { rows, ...page } = await listNumbers(request.ctx, request.tenant, { ...cursorOf(query), filters });
      return showList({ url: "/v1/numbers", data: rows.map(showNumber), ...page });
    },
  );
}

function getNumber(app: App): void {
  app.get(
    "/numbers/:id",
    {
      config: { ...reads, errors: ["resource_missing"] },
      schema: {
        operationId: "getNumber",
        tags,
        summary: "Retrieve a number or sender name",
        params,
        response: { 200: refTo<NumberShape>("ProjectNumber") },
      },
    },
    async (request) => showNumber(await findNumber(request.ctx, request.tenant, request.params.id)),
  );
}

function remove(app: App): void {
  app.delete(
    "/numbers/:id",
    {
      config: { ...writes, errors: ["resource_missing"] },
      schema: {
        operationId: "deleteNumber",
        tags,
        summary: "Remove a number or sender name",
        description:
          "New messages and calls from it are refused, and you no longer receive SMS sent to it. Needs the permissions of all its channels.",
        params,
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      const { channels } = await findNumber(request.ctx, request.tenant, request.params.id);
      requireChannels(request, channels);
      const { id } = await deleteNumber(request.ctx, request.tenant, request.params.id);
      return { id, object: "number", deleted: true as const };
    },
  );
}
