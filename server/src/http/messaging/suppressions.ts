import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import {
  type Channel,
  createSuppression,
  deleteSuppression,
  findSuppression,
  listSuppressions,
  type SuppressionInput,
  type SuppressionName,
} from "#messaging/index.ts";
import { type Ctx, platformErrors } from "#platform/index.ts";
import { type App, cursorOf, filtersOf, listOf, many, pageErrors, showList } from "#requests/index.ts";
import {
  channels,
  oneOf,
  pathOf,
  refTo,
  type SuppressionShape,
  showSuppression,
  strict,
  suppressionIn,
  suppressionReasons,
} from "#schemas/index.ts";
import { messageListQuery, readMessageList } from "./message-lists.ts";

const tags = ["Suppressions"];
const params = pathOf("id");
const ofChannel = strict({
  channel: Type.Optional(oneOf(channels, "The channel, if you pass an address instead of an ID. Defaults to `email`.")),
});
const byAddress = "You can pass the address itself as the ID.";

/** Addresses that nothing more is sent to. */
export const suppressionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postSuppression(app);
  listRoute(app);
  getSuppression(app);
  remove(app);
};

function postSuppression(app: App): void {
  app.post(
    "/suppressions",
    {
      config: { scope: "suppressions:write", errors: ["parameter_conflict"] },
      schema: {
        operationId: "createSuppression",
        tags,
        summary: "Suppress an address",
        description:
          "Nothing more is sent to it. If it's already suppressed for a more serious reason, the existing suppression is returned.",
        body: suppressionIn,
        response: { 201: refTo<SuppressionShape>("Suppression") },
      },
    },
    async (request, reply) => {
      const { expires_at, address, email, channel, ...rest } = request.body;
      const input: SuppressionInput = {
        ...rest,
        channel: channelOf(request.ctx, channel),
        address: addressIn({ address, email }),
        ...(expires_at === undefined ? {} : { expires_at: expires_at === null ? null : new Date(expires_at) }),
      };
      return reply.code(201).send(showSuppression(await createSuppression(request.ctx, request.tenant, input)));
    },
  );
}

function channelOf({ channels: known }: Ctx, name = "email"): Channel {
  return known.named(name);
}

function namedIn({ ctx, params: { id }, query }: { ctx: Ctx; params: { id: string }; query: { channel?: string } }): SuppressionName {
  return { id, channel: channelOf(ctx, query.channel) };
}

/** Two names of one field. Throws parameter_missing, parameter_conflict. */
function addressIn({ address, email }: { address: string | undefined; email: string | undefined }): string {
  const given = address ?? email;
  if (given === undefined)
    throw platformErrors.parameter_missing({ param: "address", reason: "required", message: "address is required." });
  if (email !== undefined && email !== given)
    throw platformErrors.parameter_conflict({ param: "email", reason: "only_one", message: "address and email differ. Send one of them." });
  return given;
}

function listRoute(app: App): void {
  app.get(
    "/suppressions",
    {
      config: { scope: "suppressions:read", errors: pageErrors },
      schema: {
        operationId: "listSuppressions",
        tags,
        summary: "List suppressions",
        querystring: messageListQuery({
          more: {
            channel: many("Only these channels. Can be repeated.", { enum: [...channels] }),
            reason: many("Only these reasons. Can be repeated.", { enum: [...suppressionReasons] }),
            address: many("Only these addresses. Can be repeated.", { maxLength: 320 }),
            q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "The start of an address." })),
          },
        }),
        response: { 200: listOf<SuppressionShape>("Suppression", "a suppression's ID") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const { channel, reason, address } = request.query as Record<string, string[] | undefined>;
      const filters = {
        ...filtersOf(query),
        ...(channel === undefined ? {} : { channel }),
        ...(reason === undefined ? {} : { reason }),
        ...(address === undefined ? {} : { address }),
      };
      const { rows, ...page } = await listSuppressions(request.ctx, request.tenant, { ...cursorOf(query), filters });
      return showList({ url: "/v1/suppressions", data: rows.map(showSuppression), ...page });
    },
  );
}

function getSuppression(app: App): void {
  app.get(
    "/suppressions/:id",
    {
      config: { scope: "suppressions:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getSuppression",
        tags,
        summary: "Retrieve a suppression",
        description: byAddress,
        params,
        querystring: ofChannel,
        response: { 200: refTo<SuppressionShape>("Suppression") },
      },
    },
    async (request) => showSuppression(await findSuppression(request.ctx, request.tenant, namedIn(request))),
  );
}

function remove(app: App): void {
  app.delete(
    "/suppressions/:id",
    {
      config: { scope: "suppressions:write", errors: ["resource_missing"] },
      schema: {
        operationId: "deleteSuppression",
        tags,
        summary: "Remove a suppression",
        description: byAddress,
        params,
        querystring: ofChannel,
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      const { id } = await deleteSuppression(request.ctx, request.tenant, namedIn(request));
      return { id, object: "suppression", deleted: true as const };
    },
  );
}
