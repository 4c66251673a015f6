import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { approveNumber, assignNumber, findNumberOverview, listAllNumbers, rejectNumber } from "#numbers/index.ts";
import { type App, cursorOf, listOf, listQuery, pageErrors, readList, showList } from "#requests/index.ts";
import {
  approvalIn,
  assignmentIn,
  type NumberOverviewShape,
  numberStatuses,
  pathOf,
  refTo,
  rejectionIn,
  showNumberOverview,
} from "#schemas/index.ts";

const tags = ["Operators"];
const params = pathOf("id");
const one = { 200: refTo<NumberOverviewShape>("NumberOverview") };

/** The operators' decisions about numbers and sender names in LIVE, across all merchants. */
export const operatorNumberRoutes: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app);
  assignRoute(app);
  approveRoute(app);
  rejectRoute(app);
};

function listRoute(app: App): void {
  app.get(
    "/numbers",
    {
      config: { scope: "operator", errors: pageErrors },
      schema: {
        operationId: "listAllNumbers",
        tags,
        summary: "List all projects' LIVE numbers",
        description: "Use `status=requested` for pending requests. `q` searches by the start of a number, project name or merchant name.",
        querystring: listQuery({ created: false, status: numberStatuses, q: true }),
        response: { 200: listOf<NumberOverviewShape>("NumberOverview", "a number's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listAllNumbers(request.ctx, { ...cursorOf(query), status: query.status, q: query.q });
      return showList({ url: "/api/admin/numbers", data: rows.map(showNumberOverview), ...page });
    },
  );
}

function assignRoute(app: App): void {
  app.post(
    "/numbers",
    {
      config: { scope: "operator", confirmed: true, errors: ["limit_reached", "number_taken"] },
      schema: {
        operationId: "assignNumber",
        tags,
        summary: "Assign a number to a project",
        description: "Approves the number right away, whether or not the project requested it. The project's team gets an email.",
        body: assignmentIn,
        response: { 201: refTo<NumberOverviewShape>("NumberOverview") },
      },
    },
    async (request, reply) => {
      const { id } = await assignNumber(request.ctx, request.body);
      return reply.code(201).send(showNumberOverview(await findNumberOverview(request.ctx, id)));
    },
  );
}

function approveRoute(app: App): void {
  app.post(
    "/numbers/:id/approve",
    {
      config: { scope: "operator", confirmed: true, errors: ["resource_missing", "number_taken"] },
      schema: {
        operationId: "approveNumber",
        tags,
        summary: "Approve a number, or change its use",
        description: "Fields you leave out stay as requested. The project's team gets an email.",
        params,
        body: approvalIn,
        response: one,
      },
    },
    async (request) => {
      const { id } = await approveNumber(request.ctx, { id: request.params.id, ...request.body });
      return showNumberOverview(await findNumberOverview(request.ctx, id));
    },
  );
}

function rejectRoute(app: App): void {
  app.post(
    "/numbers/:id/reject",
    {
      config: { scope: "operator", confirmed: true, errors: ["resource_missing"] },
      schema: {
        operationId: "rejectNumber",
        tags,
        summary: "Reject or revoke a number",
        description: "New LIVE messages and calls from it are refused. The project's team gets an email with the reason.",
        params,
        body: rejectionIn,
        response: one,
      },
    },
    async (request) => {
      const { id } = await rejectNumber(request.ctx, { id: request.params.id, reason: request.body.reason });
      return showNumberOverview(await findNumberOverview(request.ctx, id));
    },
  );
}
