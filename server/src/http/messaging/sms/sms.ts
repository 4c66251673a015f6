import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { type App, cursorOf, filtersOf, listOf, many, pageErrors, showList } from "#requests/index.ts";
import { pathOf, refTo, type SmsEstimateShape, type SmsShape, showSms, showSmsEstimate, smsEstimateIn, smsIn } from "#schemas/index.ts";
import { createSms, estimateSms, findSms, listSms, smsStatuses } from "#sms/index.ts";
import { messageFilters, messageFiltersOf, messageListQuery, readMessageList, withPlus } from "../message-lists.ts";

const tags = ["SMS"];

/** The errors of a message beyond its shape. */
export const smsFaults = [
  "parameter_conflict",
  "recipient_invalid",
  "recipient_opted_out",
  "sender_not_allowed",
  "country_not_allowed",
  "url_not_allowed",
  "card_number_refused",
  "no_route",
  "quota_exceeded",
  "sending_suspended",
] as const;

/** Messages by SMS: send one, find them again. */
export const smsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postSms(app);
  postEstimate(app);
  listRoute(app);
  getSms(app);
};

function postSms(app: App): void {
  app.post(
    "/sms",
    {
      config: { scope: "sms:write", movesMoney: true, errors: smsFaults },
      schema: {
        operationId: "createSms",
        tags,
        summary: "Send an SMS",
        description:
          "Queues an SMS and returns it; follow it by `status`, events and webhooks. In TEST, nothing is really sent: the numbers from `+15005551000` simulate every outcome, and all others count as delivered. In LIVE, SMS to a country without a route are refused with `no_route`.",
        body: smsIn,
        response: { 201: refTo<SmsShape>("Sms") },
      },
    },
    async (request, reply) => {
      const { messaging_tier: tier } = request.principal;
      const sms = await createSms(request.ctx, request.tenant, { tier, sms: request.body });
      // Read again: a repeated request returns the message's current state, without a text that was deleted since.
      return reply.code(201).send(showSms(await findSms(request.ctx, request.tenant, sms.id)));
    },
  );
}

function postEstimate(app: App): void {
  app.post(
    "/sms/estimate",
    {
      config: { scope: "sms:write", errors: ["parameter_conflict"] },
      schema: {
        operationId: "estimateSms",
        tags,
        summary: "Estimate an SMS",
        description: "Returns the encoding and the number of parts, which is what carriers charge by. Nothing is sent or stored.",
        body: smsEstimateIn,
        response: { 200: refTo<SmsEstimateShape>("SmsEstimate") },
      },
    },
    async (request) => showSmsEstimate(estimateSms(request.body)),
  );
}

const number = { maxLength: 32 };

function listRoute(app: App): void {
  app.get(
    "/sms",
    {
      config: { scope: "sms:read", errors: pageErrors },
      schema: {
        operationId: "listSms",
        tags,
        summary: "List SMS",
        description: "Lists sent and received messages, with their texts as long as these are kept.",
        querystring: messageListQuery({
          status: smsStatuses,
          more: {
            q: Type.Optional(
              Type.String({ minLength: 1, maxLength: 200, description: "An ID, or the start of the other party's number." }),
            ),
            direction: many("Only `outbound`, or only `inbound`. Can be repeated.", { enum: ["outbound", "inbound"] }),
            from: many("Only from these senders. Can be repeated.", number),
            to: many("Only to these recipients. Can be repeated.", number),
            ...messageFilters,
          },
        }),
        response: { 200: listOf<SmsShape>("Sms", "a message's ID") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const { direction } = request.query as { direction?: string[] };
      const q = query.q === null ? {} : { q: withPlus([query.q])[0] ?? query.q };
      const filters = { ...filtersOf(query), ...q, ...messageFiltersOf(request.query), ...(direction === undefined ? {} : { direction }) };
      const { rows, ...page } = await listSms(request.ctx, request.tenant, { ...cursorOf(query), filters });
      return showList({ url: "/v1/sms", data: rows.map(showSms), ...page });
    },
  );
}

function getSms(app: App): void {
  app.get(
    "/sms/:id",
    {
      config: { scope: "sms:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getSms",
        tags,
        summary: "Retrieve an SMS",
        description: "Includes its text, for 30 days.",
        params: pathOf("id"),
        response: { 200: refTo<SmsShape>("Sms") },
      },
    },
    async (request) => showSms(await findSms(request.ctx, request.tenant, request.params.id)),
  );
}
