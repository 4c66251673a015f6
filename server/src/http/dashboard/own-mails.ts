import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { emailStatuses } from "#email/index.ts";
import { listOwnMails, readOwnMail } from "#notices/index.ts";
import { type App, cursorOf, filtersOf, listOf, listQuery, many, pageErrors, readList, showList } from "#requests/index.ts";
import { type EmailShape, pathOf, refTo, showEmail, showFullEmail } from "#schemas/index.ts";

const tags = ["Operators"];

/** System emails. Projects only see their own messages, operators these. */
export const ownMailRoutes: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app);
  mailRoute(app);
};

function listRoute(app: App): void {
  app.get(
    "/emails",
    {
      config: { scope: "operator", errors: pageErrors },
      schema: {
        operationId: "listOwnEmails",
        tags,
        summary: "List system emails",
        description: "Password resets, invitations, warnings and receipts sent by the installation itself, without their texts.",
        querystring: listQuery({
          status: emailStatuses,
          created: true,
          more: { to: many("Only to these addresses. Can be repeated.", { maxLength: 320 }) },
        }),
        response: { 200: listOf<EmailShape>("Email", "a message's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { to } = request.query as { to?: string[] };
      const filters = { ...filtersOf(query), ...(to === undefined ? {} : { to }) };
      const { rows, ...page } = await listOwnMails(request.ctx, { ...cursorOf(query), filters });
      return showList({ url: "/api/admin/emails", data: rows.map(showEmail), ...page });
    },
  );
}

function mailRoute(app: App): void {
  app.get(
    "/emails/:id",
    {
      config: { scope: "operator", confirmed: true, errors: ["resource_missing"] },
      schema: {
        operationId: "getOwnEmail",
        tags,
        summary: "Retrieve a system email",
        description:
          "Includes its texts; who reads them is recorded in the audit log. If the installation sends real email, the texts of emails whose link gives access to an account (a reset, an invitation, a confirmation) are left out: `body_withheld`.",
        params: pathOf("id"),
        response: { 200: refTo<EmailShape>("Email") },
      },
    },
    async (request) => showFullEmail(await readOwnMail(request.ctx, { id: request.params.id })),
  );
}
