import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { createEmail, type EmailInput, emailStatuses, findEmail, listEmails, misshapenEmail } from "#email/index.ts";
import {
  type App,
  cursorOf,
  faultsOf,
  filtersOf,
  isValidationFault,
  largeBytesMax,
  listOf,
  many,
  pageErrors,
  showList,
  takeContents,
} from "#requests/index.ts";
import { type EmailShape, emailIn, pathOf, refTo, showEmail, showFullEmail } from "#schemas/index.ts";
import { messageFilters, messageFiltersOf, messageListQuery, readMessageList } from "./message-lists.ts";

const tags = ["Email"];

/** The errors of a message beyond its shape. */
export const acceptFaults = [
  "domain_not_verified",
  "recipient_invalid",
  "attachment_invalid",
  "header_not_allowed",
  "url_not_allowed",
  "card_number_refused",
  "quota_exceeded",
  "sending_suspended",
] as const;

/** Messages: send one, find them again. */
export const emailRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postEmail(app);
  listRoute(app);
  getEmail(app);
};

function postEmail(app: App): void {
  app.post(
    "/emails",
    {
      bodyLimit: largeBytesMax,
      // Validation errors are reported together with rule errors.
      attachValidation: true,
      config: { scope: "emails:write", movesMoney: true, errors: acceptFaults },
      schema: {
        operationId: "createEmail",
        tags,
        summary: "Send an email",
        description:
          "Queues an email and returns it; follow it by `status`, events and webhooks. In TEST, nothing is really sent: addresses at `simulator.tillpost.test` simulate every outcome, and all others count as delivered. The body can be up to 35 MB.",
        body: emailIn,
        response: { 201: refTo<EmailShape>("Email") },
      },
    },
    async (request, reply) => {
      const { messaging_tier: tier } = request.principal;
      const fault = request.validationError;
      const email = takeContents<EmailInput>(request.body, request.body);
      if (isValidationFault(fault))
        throw await misshapenEmail(request.ctx, request.tenant, { tier, email, faults: faultsOf(fault, email).extras.details ?? [] });
      const made = await createEmail(request.ctx, request.tenant, { tier, email });
      return reply.code(201).send(showEmail(made));
    },
  );
}

const address = { maxLength: 320 };

function listRoute(app: App): void {
  app.get(
    "/emails",
    {
      config: { scope: "emails:read", errors: pageErrors },
      schema: {
        operationId: "listEmails",
        tags,
        summary: "List emails",
        querystring: messageListQuery({
          status: emailStatuses,
          more: {
            q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "An ID, or the start of a recipient's address." })),
            from: many("Only from these addresses. Can be repeated.", address),
            to: many("Only to these addresses, in to, cc or bcc. Can be repeated.", address),
            ...messageFilters,
          },
        }),
        response: { 200: listOf<EmailShape>("Email", "a message's ID") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const { rows, ...page } = await listEmails(request.ctx, request.tenant, {
        ...cursorOf(query),
        filters: { ...filtersOf(query), ...messageFiltersOf(request.query) },
      });
      return showList({
        url: "/v1/emails",
        data: rows.map(showEmail),
        ...page,
      });
    },
  );
}

function getEmail(app: App): void {
  app.get(
    "/emails/:id",
    {
      config: { scope: "emails:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getEmail",
        tags,
        summary: "Retrieve an email",
        description: "Includes its body, for 30 days.",
        params: pathOf("id"),
        response: { 200: refTo<EmailShape>("Email") },
      },
    },
    async (request) => showFullEmail(await findEmail(request.ctx, request.tenant, request.params.id)),
  );
}
