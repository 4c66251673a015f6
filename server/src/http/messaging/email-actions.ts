import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { cancelEmail, emailChannel, findEmail, findEmailSource, listEmailAttempts, rescheduleEmail } from "#email/index.ts";
import { listMessageEvents } from "#messaging/index.ts";
import { cutPage } from "#platform/index.ts";
import { type App, createAnswerRoom, cursorOf, listOf, many, readIfMatch, showList } from "#requests/index.ts";
import {
  type EmailAttemptShape,
  type EmailShape,
  type EventShape,
  pathOf,
  refTo,
  rescheduleIn,
  showEmail,
  showEmailAttempt,
  showEvent,
  strict,
} from "#schemas/index.ts";
import { messageListQuery, readMessageList } from "./message-lists.ts";

const tags = ["Email"];
const params = pathOf("id");
const source = {
  description: "The raw message.",
  content: { "message/rfc822": { schema: { type: "string", contentMediaType: "message/rfc822", description: "The message." } } },
};
const email = { 200: refTo<EmailShape>("Email") };

/** Actions on an existing message, and its details. */
export const emailActionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  cancel(app);
  reschedule(app);
  listEvents(app);
  listAttempts(app);
  getSource(app);
};

function cancel(app: App): void {
  app.post(
    "/emails/:id/cancel",
    {
      config: { scope: "emails:write", errors: ["resource_missing", "email_state_conflict"] },
      schema: {
        operationId: "cancelEmail",
        tags,
        summary: "Cancel an email",
        description: "Works while it's scheduled, queued or delayed. Copies that were already sent can't be recalled.",
        params,
        body: strict({}),
        response: email,
      },
    },
    async (request) => showEmail(await cancelEmail(request.ctx, request.tenant, { id: request.params.id })),
  );
}

function reschedule(app: App): void {
  app.patch(
    "/emails/:id",
    {
      config: { scope: "emails:write", errors: ["resource_missing", "email_state_conflict", "version_conflict"] },
      schema: {
        operationId: "rescheduleEmail",
        tags,
        summary: "Reschedule an email",
        description:
          "Works while it's scheduled or queued and no attempt has been made. Send the `version` you read as `If-Match` to avoid overwriting a change you haven't seen.",
        params,
        body: rescheduleIn,
        response: email,
      },
    },
    async (request) => {
      const version = readIfMatch(request);
      const change = { id: request.params.id, scheduled_at: new Date(request.body.scheduled_at), ...(version === null ? {} : { version }) };
      return showEmail(await rescheduleEmail(request.ctx, request.tenant, change));
    },
  );
}

function listEvents(app: App): void {
  app.get(
    "/emails/:id/events",
    {
      config: { scope: "emails:read", errors: ["resource_missing", "invalid_cursor", "parameter_conflict"] },
      schema: {
        operationId: "listEmailEvents",
        tags,
        summary: "List an email's events",
        description: "The events that webhooks and status callbacks receive.",
        params,
        querystring: messageListQuery({ created: false }),
        response: { 200: listOf<EventShape>("Event", "an event's ID") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const given = { channel: emailChannel, id: request.params.id, ...cursorOf(query) };
      const { rows, ...page } = await listMessageEvents(request.ctx, request.tenant, given);
      return showList({ url: `/v1/emails/${request.params.id}/events`, data: rows.map(showEvent), ...page });
    },
  );
}

function listAttempts(app: App): void {
  app.get(
    "/emails/:id/attempts",
    {
      config: { scope: "emails:read", errors: ["resource_missing", "invalid_cursor", "parameter_conflict"] },
      schema: {
        operationId: "listEmailAttempts",
        tags,
        summary: "List an email's delivery attempts",
        description: "Every attempt to deliver each recipient's copy, newest first, with the other server's response. Kept for 30 days.",
        params,
        querystring: messageListQuery({
          created: false,
          more: { recipient: many("Only attempts for these addresses. Can be repeated.", { maxLength: 320 }) },
        }),
        response: { 200: listOf<EmailAttemptShape>("EmailAttempt", "an attempt's ID") },
      },
    },
    async (request) => {
      const recipients = (request.query as { recipient?: string[] }).recipient;
      const given = { id: request.params.id, ...(recipients === undefined ? {} : { recipients }) };
      const { rows, ...page } = cutPage(
        await listEmailAttempts(request.ctx, request.tenant, given),
        cursorOf(readMessageList(request.query)),
      );
      return showList({ url: `/v1/emails/${request.params.id}/attempts`, data: rows.map(showEmailAttempt), ...page });
    },
  );
}

function getSource(app: App): void {
  const takeRoom = createAnswerRoom(app.runtime.settings);
  app.get(
    "/emails/:id/source",
    {
      config: { scope: "emails:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getEmailSource",
        tags,
        summary: "Retrieve an email's source",
        description: "The raw message (RFC 5322) including its signature, as long as its body is kept.",
        params,
        response: { 200: source },
      },
    },
    async (request, reply) => {
      const { email: found } = await findEmail(request.ctx, request.tenant, request.params.id);
      await takeRoom(reply, { project_id: request.tenant.project_id, bytes: found.size_bytes });
      const { raw } = await findEmailSource(request.ctx, request.tenant, { id: request.params.id });
      return reply.type("message/rfc822").header("content-disposition", `attachment; filename="${request.params.id}.eml"`).send(raw);
    },
  );
}
