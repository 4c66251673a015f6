import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import {
  callChannel,
  callStatuses,
  createCall,
  deleteCallBody,
  findCall,
  hangUpCall,
  listCalls,
  misshapenCall,
  rescheduleCall,
} from "#calls/index.ts";
import { listMessageEvents } from "#messaging/index.ts";
import {
  type App,
  cursorOf,
  faultsOf,
  filtersOf,
  isValidationFault,
  listOf,
  many,
  pageErrors,
  readIfMatch,
  showList,
} from "#requests/index.ts";
import { type CallShape, callIn, type EventShape, pathOf, refTo, rescheduleIn, showCall, showEvent, strict } from "#schemas/index.ts";
import { messageFilters, messageFiltersOf, messageListQuery, readMessageList } from "../message-lists.ts";

const tags = ["Calls"];
const params = pathOf("id");
const call = { 200: refTo<CallShape>("Call") };

/** The errors of a call beyond its shape. */
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
  deleteBody(app);
  listEvents(app);
};

function postCall(app: App): void {
  app.post(
    "/calls",
    {
      // Validation errors are reported together with rule errors.
      attachValidation: true,
      config: { scope: "calls:write", movesMoney: true, errors: callFaults },
      schema: {
        operationId: "createCall",
        tags,
        summary: "Place a call",
        description:
          "Queues a call and returns it; follow it by `status`, events and webhooks. In TEST, no real calls are placed: the numbers from `+15005552000` to `+15005552005` simulate every outcome, and all others answer and listen.",
        body: callIn,
        response: { 201: refTo<CallShape>("Call") },
      },
    },
    async (request, reply) => {
      const { messaging_tier: tier } = request.principal;
      const fault = request.validationError;
      const given = request.body;
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
            q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "An ID, or the start of a callee's number." })),
            from: many("Only from these numbers. Can be repeated.", number),
            to: many("Only to these numbers. Can be repeated.", number),
            ...messageFilters,
          },
        }),
        response: { 200: listOf<CallShape>("Call", "a call's ID") },
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
        summary: "Reschedule a call",
        description:
          "Works while it's scheduled or queued and no attempt has been made. Send the `version` you read as `If-Match` to avoid overwriting a change you haven't seen.",
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
        description:
          "Ends a call at any stage. A scheduled or queued call is canceled right away; one that is ringing or in progress ends within a second, and its events report it.",
        params,
        body: strict({}),
        response: call,
      },
    },
    async (request) => showCall(await hangUpCall(request.ctx, request.tenant, { id: request.params.id })),
  );
}

function deleteBody(app: App): void {
  app.delete(
    "/calls/:id/body",
    {
      config: { scope: "calls:write", errors: ["resource_missing", "call_state_conflict"] },
      schema: {
        operationId: "deleteCallBody",
        tags,
        summary: "Delete a call's text and keys",
        description:
          "Permanently deletes what the call was to say and do, its steps and the keys pressed, in its events too; the call, its history and its recordings are kept. If it hasn't ended, hang up first.",
        params,
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      await deleteCallBody(request.ctx, request.tenant, { id: request.params.id });
      return { id: request.params.id, object: "call_body", deleted: true as const };
    },
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
        description: "The events that webhooks and status callbacks receive.",
        params,
        querystring: messageListQuery({ created: false }),
        response: { 200: listOf<EventShape>("Event", "an event's ID") },
      },
    },
    async (request) => {
      const query = cursorOf(readMessageList(request.query));
      const { rows, ...page } = await listMessageEvents(request.ctx, request.tenant, {
        channel: callChannel,
        id: request.params.id,
        ...query,
      });
      return showList({ url: `/v1/calls/${request.params.id}/events`, data: rows.map(showEvent), ...page });
    },
  );
}
