import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Channel, channels, findProfile, isChannel, listProfiles, personalMethodOf, putProfile } from "#collection/index.ts";
import { cutPage, platformErrors } from "#platform/index.ts";
import { cursorOf, listOf, listQuery, listUrl, pageErrors, readIfMatch, readList, showList } from "#requests/index.ts";
import { type ProfileShape, pathOf, profileIn, refTo, showProfile } from "#schemas/index.ts";

const tags = ["Collection profiles"];

export const collectionProfileRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const route of [listRoute, getRoute, putRoute]) await app.register(route);
};

const listRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/collection-profiles",
    {
      config: { scope: "payments:read", errors: pageErrors },
      schema: {
        operationId: "listCollectionProfiles",
        tags,
        summary: "List collection profiles",
        params: pathOf("projectId"),
        querystring: listQuery({ created: false }),
        response: { 200: listOf<ProfileShape>("CollectionProfile", "a profile's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const all = await listProfiles(request.ctx.db, request.tenant);
      const { rows, ...page } = cutPage(all, cursorOf(query));
      const data = await Promise.all(rows.map((row) => showProfile(request.ctx, row)));
      return showList({ url: listUrl(request.tenant, "collection-profiles"), data, ...page });
    },
  );
};

const getRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/collection-profiles/:channel",
    {
      config: { scope: "payments:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getCollectionProfile",
        tags,
        summary: "Retrieve a collection profile",
        params: pathOf("projectId", "channel"),
        response: { 200: refTo<ProfileShape>("CollectionProfile") },
      },
    },
    async (request) => {
      const profile = await findProfile(request.ctx.db, request.tenant, channelOf(request.params.channel));
      if (profile === null) throw platformErrors.resource_missing({ param: "channel", message: "This channel isn't set up." });
      return showProfile(request.ctx, profile);
    },
  );
};

const putRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.put(
    "/projects/:projectId/collection-profiles/:channel",
    {
      config: {
        scope: "collection_profiles:write",
        confirmed: "live",
        refusesNewOwners: true,
        errors: [
          ...["resource_missing", "parameter_conflict", "version_conflict", "session_required"],
          ...["qr_not_decodable", "qr_channel_mismatch", "qr_order_bound", "qr_payment_code", "qr_fixed_amount"],
        ],
      },
      schema: {
        operationId: "putCollectionProfile",
        tags,
        summary: "Set a collection profile",
        description:
          "Replaces the whole profile: fields you leave out return to their defaults. Send the `version` you read as `If-Match` to avoid overwriting a change you haven't seen. In LIVE, this requires a signed-in person.",
        params: pathOf("projectId", "channel"),
        body: profileIn,
        response: { 200: refTo<ProfileShape>("CollectionProfile") },
      },
    },
    async (request) => {
      const channel = channelOf(request.params.channel);
      const input = { ...request.body, channel, if_version: readIfMatch(request) };
      return showProfile(request.ctx, await putProfile(request.ctx, request.tenant, input));
    },
  );
};

/** A gateway and its channel can have different names, which people mix up. */
function channelOf(text: string): Channel {
  if (isChannel(text)) return text;
  const method = personalMethodOf(text);
  const message =
    method === null
      ? `This channel doesn't exist. The channels are ${channels.join(" and ")}.`
      : `The channel of the gateway ${text} is called ${method.channel}.`;
  throw platformErrors.resource_missing({ param: "channel", message });
}
