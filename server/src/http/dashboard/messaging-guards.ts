import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import {
  changeOperatorCaps,
  findLimits,
  findPauseOverview,
  findPolicy,
  findPrices,
  findSpending,
  listAllPauses,
  pauseStatuses,
  releasePause,
  replacePolicy,
  replacePrices,
} from "#guards/index.ts";
import { type App, cursorOf, listOf, listQuery, pageErrors, readIfMatch, readList, showList } from "#requests/index.ts";
import {
  type LimitsShape,
  operatorCapsIn,
  type PauseOverviewShape,
  type PolicyShape,
  type PricesShape,
  pathOf,
  policyIn,
  pricesIn,
  refTo,
  type SpendingShape,
  showLimits,
  showPauseOverview,
  showPolicy,
  showPrices,
  showSpending,
} from "#schemas/index.ts";

const tags = ["Operators"];
const read = { scope: "operator" } as const;
const write = { scope: "operator", confirmed: true } as const;
const limits = { 200: refTo<LimitsShape>("MessagingLimits") };
const pricesBytesMax = 1_048_576;

/** The operators' settings for LIVE SMS and calls of all projects: prices, countries, caps; and paused ranges. */
export const messagingGuardRoutes: FastifyPluginAsyncTypebox = async (app) => {
  priceRoutes(app);
  policyRoutes(app);
  limitRoutes(app);
  spendRoute(app);
  pausesRoute(app);
  releaseRoute(app);
};

function priceRoutes(app: App): void {
  const response = { 200: refTo<PricesShape>("MessagePrices") };
  app.get(
    "/message-prices",
    { config: read, schema: { operationId: "getMessagePrices", tags, summary: "Retrieve the price table for SMS and calls", response } },
    async (request) => showPrices(await findPrices(request.ctx)),
  );
  app.put(
    "/message-prices",
    {
      config: { ...write, errors: ["version_conflict", "unsupported_currency"] },
      bodyLimit: pricesBytesMax,
      schema: {
        operationId: "replaceMessagePrices",
        tags,
        summary: "Replace the price table for SMS and calls",
        description:
          "Send rows or CSV; an empty list removes the price table. Spending caps count the new prices from then on. Once a channel has prices, destinations without one are refused. If a row is invalid, nothing changes and the error lists every invalid row.",
        body: pricesIn,
        response,
      },
    },
    async (request) => showPrices(await replacePrices(request.ctx, { ...request.body, if_version: readIfMatch(request) })),
  );
}

function policyRoutes(app: App): void {
  const response = { 200: refTo<PolicyShape>("MessagingPolicy") };
  app.get(
    "/messaging-policy",
    { config: read, schema: { operationId: "getMessagingPolicy", tags, summary: "Retrieve the messaging policy", response } },
    async (request) => showPolicy(await findPolicy(request.ctx)),
  );
  app.put(
    "/messaging-policy",
    {
      config: { ...write, errors: ["version_conflict"] },
      schema: {
        operationId: "replaceMessagingPolicy",
        tags,
        summary: "Replace the messaging policy",
        description:
          "Sets where all projects' LIVE messages and calls can go. A project reaches the countries it allows, as far as this policy permits.",
        body: policyIn,
        response,
      },
    },
    async (request) => showPolicy(await replacePolicy(request.ctx, { ...request.body, if_version: readIfMatch(request) })),
  );
}

function limitRoutes(app: App): void {
  const params = pathOf("id");
  app.get(
    "/projects/:id/messaging-limits",
    {
      config: { ...read, errors: ["resource_missing"] },
      schema: {
        operationId: "getMessagingLimitsOfProject",
        tags,
        summary: "Retrieve any project's messaging limits",
        params,
        response: limits,
      },
    },
    async (request) => showLimits(await findLimits(request.ctx, request.params.id)),
  );
  app.patch(
    "/projects/:id/messaging-limits",
    {
      config: { ...write, errors: ["resource_missing", "version_conflict"] },
      schema: {
        operationId: "updateMessagingCapsOfProject",
        tags,
        summary: "Set a project's caps",
        description: "Replaces its tier's caps, higher or lower. Caps you leave out don't change; null removes one.",
        params,
        body: operatorCapsIn,
        response: limits,
      },
    },
    async (request) =>
      showLimits(
        await changeOperatorCaps(request.ctx, { ...request.body, project_id: request.params.id, if_version: readIfMatch(request) }),
      ),
  );
}

function spendRoute(app: App): void {
  app.get(
    "/projects/:id/messaging-spend",
    {
      config: { ...read, errors: ["resource_missing"] },
      schema: {
        operationId: "getMessagingSpendOfProject",
        tags,
        summary: "Retrieve any project's spending on LIVE SMS and calls",
        params: pathOf("id"),
        response: { 200: refTo<SpendingShape>("MessagingSpend") },
      },
    },
    async (request) => showSpending(await findSpending(request.ctx, { project_id: request.params.id })),
  );
}

function pausesRoute(app: App): void {
  app.get(
    "/messaging-pauses",
    {
      config: { ...read, errors: pageErrors },
      schema: {
        operationId: "listAllMessagingPauses",
        tags,
        summary: "List all projects' paused ranges",
        querystring: listQuery({ created: false, status: pauseStatuses }),
        response: { 200: listOf<PauseOverviewShape>("MessagingPauseOverview", "a pause's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listAllPauses(request.ctx, { ...cursorOf(query), status: query.status });
      return showList({ url: "/api/admin/messaging-pauses", data: rows.map(showPauseOverview), ...page });
    },
  );
}

function releaseRoute(app: App): void {
  app.post(
    "/messaging-pauses/:id/release",
    {
      config: { ...write, errors: ["resource_missing"] },
      schema: {
        operationId: "releaseAnyMessagingPause",
        tags,
        summary: "Release any project's paused range",
        params: pathOf("id"),
        response: { 200: refTo<PauseOverviewShape>("MessagingPauseOverview") },
      },
    },
    async (request) => {
      const { id, project_id, livemode } = await findPauseOverview(request.ctx, request.params.id);
      await releasePause(request.ctx, { project_id, livemode }, id);
      return showPauseOverview(await findPauseOverview(request.ctx, id));
    },
  );
}
