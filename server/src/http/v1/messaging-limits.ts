import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { changeLimits, findLimits, findSpending, listPauses, pauseStatuses, releasePause } from "#guards/index.ts";
import { type App, cursorOf, everyRole, leading, listOf, listQuery, pageErrors, readIfMatch, readList, showList } from "#requests/index.ts";
import {
  type LimitsShape,
  limitsChangeIn,
  type PauseShape,
  pathOf,
  refTo,
  type SpendingShape,
  showLimits,
  showPause,
  showSpending,
} from "#schemas/index.ts";

const tags = ["Messaging limits"];
const params = pathOf("projectId");
const read = { scope: "session", roles: everyRole } as const;
const write = { scope: "session", roles: leading, confirmed: true } as const;
const limits = { 200: refTo<LimitsShape>("MessagingLimits") };

/** The cost and abuse guards of a project's LIVE SMS, calls and codes: limits and spending are the same in both environments. */
export const messagingLimitRoutes: FastifyPluginAsyncTypebox = async (app) => {
  getRoute(app);
  changeRoute(app);
  spendRoute(app);
  pausesRoute(app);
  releaseRoute(app);
};

function getRoute(app: App): void {
  app.get(
    "/projects/:projectId/messaging-limits",
    {
      config: read,
      schema: {
        operationId: "getMessagingLimits",
        tags,
        summary: "Retrieve a project's messaging limits",
        description: "Countries, spending caps and quiet hours for its LIVE SMS, calls and codes. The same in both environments.",
        params,
        response: limits,
      },
    },
    async (request) => showLimits(await findLimits(request.ctx, request.tenant.project_id)),
  );
}

function changeRoute(app: App): void {
  app.patch(
    "/projects/:projectId/messaging-limits",
    {
      config: { ...write, errors: ["version_conflict"] },
      schema: {
        operationId: "updateMessagingLimits",
        tags,
        summary: "Update a project's messaging limits",
        description: "Fields you leave out don't change. Owners get an email when countries are added.",
        params,
        body: limitsChangeIn,
        response: limits,
      },
    },
    async (request) => {
      const { project_id } = request.tenant;
      return showLimits(await changeLimits(request.ctx, { ...request.body, project_id, if_version: readIfMatch(request) }));
    },
  );
}

function spendRoute(app: App): void {
  app.get(
    "/projects/:projectId/messaging-spend",
    {
      config: read,
      schema: {
        operationId: "getMessagingSpend",
        tags,
        summary: "Retrieve spending on LIVE SMS and calls",
        description:
          "In money by the operator's price table, or in parts and minutes if there are no prices, together with the caps. Includes amounts reserved for calls in progress.",
        params,
        response: { 200: refTo<SpendingShape>("MessagingSpend") },
      },
    },
    async (request) => showSpending(await findSpending(request.ctx, request.tenant)),
  );
}

function pausesRoute(app: App): void {
  app.get(
    "/projects/:projectId/messaging-pauses",
    {
      config: { ...read, errors: pageErrors },
      schema: {
        operationId: "listMessagingPauses",
        tags,
        summary: "List paused ranges",
        description:
          "Number ranges to which the project's LIVE SMS or calls are refused because the traffic looked like abuse, newest first. TEST has none.",
        params,
        querystring: listQuery({ created: false, status: pauseStatuses }),
        response: { 200: listOf<PauseShape>("MessagingPause", "a pause's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listPauses(request.ctx, request.tenant, { ...cursorOf(query), status: query.status });
      return showList({ url: `/api/v1/projects/${request.tenant.project_id}/messaging-pauses`, data: rows.map(showPause), ...page });
    },
  );
}

function releaseRoute(app: App): void {
  app.post(
    "/projects/:projectId/messaging-pauses/:id/release",
    {
      config: { ...write, errors: ["resource_missing"] },
      schema: {
        operationId: "releaseMessagingPause",
        tags,
        summary: "Release a paused range",
        description: "LIVE SMS or calls to it are accepted again, and it won't be paused for 30 days.",
        params: pathOf("projectId", "id"),
        response: { 200: refTo<PauseShape>("MessagingPause") },
      },
    },
    async (request) => showPause(await releasePause(request.ctx, request.tenant, request.params.id)),
  );
}
