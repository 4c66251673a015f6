import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { type CallInput, callChannel, callStatuses, createCall, findCall, hangUpCall, listCalls, misshapenCall, rescheduleCall } from "#calls/index.ts";
import { listMessageEvents } from "#messaging/index.ts";
import { type CallShape, callIn, type EventShape, pathOf, refTo, rescheduleIn, showCall, showEvent, strict } from "#schemas/index.ts";
import type { App } from "../../house.ts";
import { readIfMatch } from "../../if-match.ts";
import { cursorOf, filtersOf, listOf, many, pageErrors, showList } from "../../lists.ts";
import { faultsOf, isValidationFault } from "../../validation/faults.ts";
import { messageFiltersOf, messageListQuery, readMessageList, tagFilter } from "../message-lists.ts";

const tags = ["Calls"];
const params = pathOf("id");
const call = { 200: refTo<CallShape>("Call") };

/** What a call can be refused for beyond its shape. */
const callFaults = [
  "recipient_invalid",
  "recipient_opted_out",
  "sender_not_allowed",
  "country_not_allowed",
  "no_route",
  "parameter_conflict",
  "url_not_allowed",
  "card_number_refused",
  "quota_exceeded",
  "sending_suspended",
] as const;

/** Calls: place one, find them again, end one. */
export const callRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postCall(app);
  listRoute(app);
  getCall(app);
  reschedule(app);
  hangUp(app);
  listEvents(app);
};

function postCall(app: App): void {
  app.post(
    "/calls",
    {
      // Told together with what the rules find in the other fields.
      attachValidation: true,
      config: { scope: "calls:write", movesMoney: true, errors: callFaults },
      schema: {
        operationId: "createCall",
        tags,
        summary: "Place a call",
        description:
          "Accepts a call and answers it as `queued`; `status`, the events and webhooks tell the rest. In TEST nobody is called: numbers from `+15005552000` to `+15005552005` play every outcome, all others answer and listen.",
        body: callIn,
        response: { 201: refTo<CallShape>("Call") },
      },
    },
    async (request, reply) => {
      const { messaging_tier: tier } = request.principal;
      const fault = request.validationError;
      const given = request.body as CallInput;
      if (isValidationFault(fault))
        throw await misshapenCall(request.ctx, request.tenant, { call: given, faults: faultsOf(fault, given).extras.details ?? [] });
      return reply.code(201).send(showCall(await createCall(request.ctx, request.tenant, { tier, call: given })));
    },
  );
}

const number = { maxLength: 40 };

function listRoute(app: App): void {
  app.get(
    "/calls",
    {
      config: { scope: "calls:read", errors: pageErrors },
      schema: {
        operationId: "listCalls",
        tags,
        summary: "List calls",
        querystring: messageListQuery({
          status: callStatuses,
          more: {
            q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "An id, or the beginning of a callee's number." })),
            from: many("Only from these numbers. May be repeated.", number),
            to: many("Only to these numbers. May be repeated.", number),
            ...tagFilter,
          },
        }),
        response: { 200: listOf<CallShape>("Call", "a call's id") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const filters = { ...filtersOf(query), ...messageFiltersOf(request.query) };
      const { rows, ...page } = await listCalls(request.ctx, request.tenant, { ...cursorOf(query), filters });
      return showList({ url: "/v1/calls", data: rows.map(showCall), ...page });
    },
  );
}

function getCall(app: App): void {
  app.get(
    "/calls/:id",
    {
      config: { scope: "calls:read", errors: ["resource_missing"] },
      schema: { operationId: "getCall", tags, summary: "Retrieve a call", params, response: call },
    },
    async (request) => showCall(await findCall(request.ctx, request.tenant, request.params.id)),
  );
}

function reschedule(app: App): void {
  app.patch(
    "/calls/:id",
    {
      config: { scope: "calls:write", errors: ["resource_missing", "call_state_conflict", "version_conflict"] },
      schema: {
        operationId: "rescheduleCall",
        tags,
        summary: "Place a call at another time",
        description:
          "While it is scheduled or queued and no attempt has been made. `If-Match: <version>` refuses to write over a change that you have not seen.",
        params,
        body: rescheduleIn,
        response: call,
      },
    },
    async (request) => {
      const version = readIfMatch(request);
      const change = { id: request.params.id, scheduled_at: request.body.scheduled_at, ...(version === null ? {} : { version }) };
      return showCall(await rescheduleCall(request.ctx, request.tenant, change));
    },
  );
}

function hangUp(app: App): void {
  app.post(
    "/calls/:id/hangup",
    {
      config: { scope: "calls:write", errors: ["resource_missing", "call_state_conflict"] },
      schema: {
        operationId: "hangUpCall",
        tags,
        summary: "Hang up",
        description: "Ends a call wherever it stands. One that waits is canceled at once; one that rings or lasts ends within a second, which its events tell.",
        params,
        body: strict({}),
        response: call,
      },
    },
    async (request) => showCall(await hangUpCall(request.ctx, request.tenant, { id: request.params.id })),
  );
}

function listEvents(app: App): void {
  app.get(
    "/calls/:id/events",
    {
      config: { scope: "calls:read", errors: ["resource_missing", ...pageErrors] },
      schema: {
        operationId: "listCallEvents",
        tags,
        summary: "List a call's events",
        description: "What happened to it, as webhooks and status callbacks are told.",
        params,
        querystring: messageListQuery({ created: false }),
        response: { 200: listOf<EventShape>("Event", "an event's id") },
      },
    },
    async (request) => {
      const query = cursorOf(readMessageList(request.query));
      const { rows, ...page } = await listMessageEvents(request.ctx, request.tenant, { channel: callChannel, id: request.params.id, ...query });
      return showList({ url: `/v1/calls/${request.params.id}/events`, data: rows.map(showEvent), ...page });
    },
  );
}
