import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { listMessageEvents } from "#messaging/index.ts";
import { cutPage } from "#platform/index.ts";
import { type App, cursorOf, listOf, pageErrors, readIfMatch, showList } from "#requests/index.ts";
import {
  type EventShape,
  pathOf,
  refTo,
  rescheduleIn,
  type SmsAttemptShape,
  type SmsPartShape,
  type SmsShape,
  showEvent,
  showSms,
  showSmsAttempt,
  showSmsPart,
  strict,
} from "#schemas/index.ts";
import { cancelSms, deleteSmsBody, findSms, listSmsAttempts, listSmsParts, rescheduleSms, smsChannel } from "#sms/index.ts";
import { messageListQuery, readMessageList } from "../message-lists.ts";

const tags = ["SMS"];
const params = pathOf("id");

/** Actions on an existing message, and its details. */
export const smsActionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  reschedule(app);
  cancel(app);
  deleteBody(app);
  listEvents(app);
  listAttempts(app);
  listParts(app);
};

function reschedule(app: App): void {
  app.patch(
    "/sms/:id",
    {
      config: { scope: "sms:write", errors: ["resource_missing", "sms_state_conflict", "version_conflict"] },
      schema: {
        operationId: "rescheduleSms",
        tags,
        summary: "Reschedule an SMS",
        description:
          "Works while it's scheduled or queued and no attempt has been made. Send the `version` you read as `If-Match` to avoid overwriting a change you haven't seen.",
        params,
        body: rescheduleIn,
        response: { 200: refTo<SmsShape>("Sms") },
      },
    },
    async (request) => {
      const version = readIfMatch(request);
      const change = { id: request.params.id, scheduled_at: request.body.scheduled_at, ...(version === null ? {} : { version }) };
      const { id } = await rescheduleSms(request.ctx, request.tenant, change);
      return showSms(await findSms(request.ctx, request.tenant, id));
    },
  );
}

function cancel(app: App): void {
  app.post(
    "/sms/:id/cancel",
    {
      config: { scope: "sms:write", errors: ["resource_missing", "sms_state_conflict"] },
      schema: {
        operationId: "cancelSms",
        tags,
        summary: "Cancel an SMS",
        description: "Works while it's scheduled or queued and none of its parts has been sent.",
        params,
        body: strict({}),
        response: { 200: refTo<SmsShape>("Sms") },
      },
    },
    async (request) => {
      const { id } = await cancelSms(request.ctx, request.tenant, { id: request.params.id });
      return showSms(await findSms(request.ctx, request.tenant, id));
    },
  );
}

function deleteBody(app: App): void {
  app.delete(
    "/sms/:id/body",
    {
      config: { scope: "sms:write", errors: ["resource_missing", "sms_state_conflict"] },
      schema: {
        operationId: "deleteSmsBody",
        tags,
        summary: "Delete an SMS's text",
        description: "Permanently deletes the text; the message and its history are kept. If it hasn't been sent yet, cancel it first.",
        params,
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      await deleteSmsBody(request.ctx, request.tenant, { id: request.params.id });
      return { id: request.params.id, object: "sms_body", deleted: true as const };
    },
  );
}

function listEvents(app: App): void {
  app.get(
    "/sms/:id/events",
    {
      config: { scope: "sms:read", errors: ["resource_missing", ...pageErrors] },
      schema: {
        operationId: "listSmsEvents",
        tags,
        summary: "List an SMS's events",
        description: "The events that webhooks and status callbacks receive.",
        params,
        querystring: messageListQuery({ created: false }),
        response: { 200: listOf<EventShape>("Event", "an event's ID") },
      },
    },
    async (request) => {
      const given = { channel: smsChannel, id: request.params.id, ...cursorOf(readMessageList(request.query)) };
      const { rows, ...page } = await listMessageEvents(request.ctx, request.tenant, given);
      return showList({ url: `/v1/sms/${request.params.id}/events`, data: rows.map(showEvent), ...page });
    },
  );
}

function listAttempts(app: App): void {
  app.get(
    "/sms/:id/attempts",
    {
      config: { scope: "sms:read", errors: ["resource_missing", ...pageErrors] },
      schema: {
        operationId: "listSmsAttempts",
        tags,
        summary: "List an SMS's attempts",
        description: "Every attempt to send it to a carrier, newest first, with the carrier's response. Kept for 30 days.",
        params,
        querystring: messageListQuery({ created: false }),
        response: { 200: listOf<SmsAttemptShape>("SmsAttempt", "an attempt's ID") },
      },
    },
    async (request) => {
      const attempts = await listSmsAttempts(request.ctx, request.tenant, { id: request.params.id });
      const { rows, ...page } = cutPage(attempts, cursorOf(readMessageList(request.query)));
      return showList({ url: `/v1/sms/${request.params.id}/attempts`, data: rows.map(showSmsAttempt), ...page });
    },
  );
}

function listParts(app: App): void {
  app.get(
    "/sms/:id/parts",
    {
      config: { scope: "sms:read", errors: ["resource_missing", ...pageErrors] },
      schema: {
        operationId: "listSmsParts",
        tags,
        summary: "List an SMS's parts",
        description: "The text of each part of an outbound message and the carrier's report, in order. Inbound messages have no parts.",
        params,
        querystring: messageListQuery({ created: false }),
        response: { 200: listOf<SmsPartShape>("SmsPart", "a part's ID") },
      },
    },
    async (request) => {
      const parts = await listSmsParts(request.ctx, request.tenant, { id: request.params.id });
      const { rows, ...page } = cutPage(parts, cursorOf(readMessageList(request.query)));
      return showList({ url: `/v1/sms/${request.params.id}/parts`, data: rows.map(showSmsPart), ...page });
    },
  );
}
