import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { type App, cursorOf, filtersOf, listOf, many, pageErrors, showList } from "#requests/index.ts";
import {
  type ConversionShape,
  conversionDaysMax,
  pathOf,
  refTo,
  showConversion,
  showVerification,
  strict,
  type VerificationShape,
  verificationIn,
} from "#schemas/index.ts";
import {
  codeChannels,
  findConversion,
  findVerification,
  listVerifications,
  startVerification,
  verificationStatuses,
} from "#verifications/index.ts";
import { messageFiltersOf, messageListQuery, readMessageList } from "../message-lists.ts";
import { readableChannels, reads, requireChannels, writes } from "./channel-scopes.ts";

const tags = ["Verifications"];
const params = pathOf("id");
const verification = refTo<VerificationShape>("Verification");

/** The errors of a code from its channel. */
export const channelFaults = [
  "recipient_invalid",
  "recipient_opted_out",
  "sender_not_allowed",
  "domain_not_verified",
  "country_not_allowed",
  "no_route",
  "quota_exceeded",
  "sending_suspended",
  "verification_limit",
] as const;

/** Verifications: begin one, find them again. */
export const verificationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postVerification(app);
  listRoute(app);
  getConversion(app);
  getVerification(app);
};

function postVerification(app: App): void {
  app.post(
    "/verifications",
    {
      config: { ...writes, movesMoney: true, errors: [...channelFaults, "card_number_refused"] },
      schema: {
        operationId: "createVerification",
        tags,
        summary: "Start a verification",
        description:
          "Sends a code by the first of `channels`, and by the next one if the message fails or hasn't arrived after `fallback_after`. Needs the `write` permission of each channel. In TEST, the code is `424242` (with another `code_length`, the first digits of `4242424242`) and nothing is really sent. The message counts like any other of its channel, and its text is never shown.",
        body: verificationIn,
        response: { 201: verification },
      },
    },
    async (request, reply) => {
      const input = request.body;
      requireChannels(request, input.channels, "write");
      const { messaging_tier: tier } = request.principal;
      return reply.code(201).send(showVerification(await startVerification(request.ctx, request.tenant, { tier, verification: input })));
    },
  );
}

function listRoute(app: App): void {
  app.get(
    "/verifications",
    {
      config: { ...reads, errors: pageErrors },
      schema: {
        operationId: "listVerifications",
        tags,
        summary: "List verifications",
        description: "Lists verifications for which the key may read every channel.",
        querystring: messageListQuery({
          status: verificationStatuses,
          more: {
            to: many("Only for these numbers and addresses. Can be repeated.", { maxLength: 254 }),
            channel: many("Only those whose code was last sent by these channels. Can be repeated.", { enum: [...codeChannels] }),
          },
        }),
        response: { 200: listOf<VerificationShape>("Verification", "a verification's ID") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const { channel } = request.query as { channel?: string[] };
      const filters = { ...filtersOf(query), ...messageFiltersOf(request.query), ...(channel === undefined ? {} : { channel }) };
      const { rows, ...page } = await listVerifications(request.ctx, request.tenant, {
        ...cursorOf(query),
        filters,
        readable: readableChannels(request),
      });
      return showList({ url: "/v1/verifications", data: rows.map(showVerification), ...page });
    },
  );
}

function getConversion(app: App): void {
  app.get(
    "/verifications/conversion",
    {
      config: reads,
      schema: {
        operationId: "getVerificationConversion",
        tags,
        summary: "Retrieve approval rates",
        description:
          "How many of the verifications that have ended were approved, by channel and country. A country with many codes and no approvals can be a sign of SMS pumping.",
        querystring: strict({
          days: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: conversionDaysMax,
              default: 30,
              description: "How many days to cover, up to now. Defaults to 30.",
            }),
          ),
        }),
        response: { 200: refTo<ConversionShape>("VerificationConversion") },
      },
    },
    async (request) => {
      const { days = 30 } = request.query;
      return showConversion(request.tenant, {
        days,
        rows: await findConversion(request.ctx, request.tenant, { days, readable: readableChannels(request) }),
      });
    },
  );
}

function getVerification(app: App): void {
  app.get(
    "/verifications/:id",
    {
      config: { ...reads, errors: ["resource_missing"] },
      schema: { operationId: "getVerification", tags, summary: "Retrieve a verification", params, response: { 200: verification } },
    },
    async (request) => {
      const found = await findVerification(request.ctx, request.tenant, request.params.id);
      requireChannels(request, found.channels, "read");
      return showVerification(found);
    },
  );
}
