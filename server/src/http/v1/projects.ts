import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { listMerchantsOfPerson, type Principal, setActive, type Visitor } from "#identity/index.ts";
import { cutPage, platformErrors } from "#platform/index.ts";
import { changeProject, createProject, findProject, listProjects } from "#projects/index.ts";
import { type App, cursorOf, everyRole, leading, listOf, listQuery, pageErrors, readIfMatch, readList, showList } from "#requests/index.ts";
import {
  type ActiveShape,
  activeEnvironmentIn,
  activeProjectIn,
  type ProjectShape,
  pathOf,
  projectChangeIn,
  projectIn,
  refTo,
  showActive,
  showProject,
} from "#schemas/index.ts";
import { holdLogo } from "./hold-logo.ts";

const tags = ["Projects"];
const project = refTo<ProjectShape>("Project");

export const projectRoutes: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app);
  createRoute(app);
  getRoute(app);
  changeRoute(app);
  activeRoute(app);
  environmentRoute(app);
};

function listRoute(app: App): void {
  app.get(
    "/projects",
    {
      config: { scope: "any_key", errors: pageErrors },
      schema: {
        operationId: "listProjects",
        tags,
        summary: "List projects",
        description: "The projects the credentials can access: for a key, its own project; for a person, the projects of their merchants.",
        querystring: listQuery({ created: false }),
        response: { 200: listOf<ProjectShape>("Project", "a project's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const all = await reachable(request);
      const { rows, ...page } = cutPage(all, cursorOf(query));
      return showList({ url: "/api/v1/projects", data: rows, ...page });
    },
  );
}

function createRoute(app: App): void {
  app.post(
    "/projects",
    {
      config: {
        scope: "session",
        roles: leading,
        confirmed: false,
        ofMerchant: true,
        errors: ["unsupported_currency", "limit_reached"],
      },
      schema: {
        operationId: "createProject",
        tags,
        summary: "Create a project",
        description:
          "Creates both of its environments. The project belongs to the active project's merchant, or to the one in the `Tillpost-Merchant` header.",
        body: projectIn,
        response: { 201: project },
      },
    },
    async (request, reply) => {
      const { principal } = request;
      const row = await createProject(request.ctx, { ...request.body, merchant_id: principal.merchant_id, most: mostProjects(principal) });
      return reply.code(201).send(showProject(row));
    },
  );
}

/** Each project has its own quotas, so an unknown merchant, or one on the Free tier, can't open any number of them. */
function mostProjects({ merchant_verified, messaging_tier }: Principal): number {
  return merchant_verified && messaging_tier !== "free" ? 200 : 20;
}

function getRoute(app: App): void {
  app.get(
    "/projects/:projectId",
    {
      config: { scope: "any_key" },
      schema: { operationId: "getProject", tags, summary: "Retrieve a project", params: pathOf("projectId"), response: { 200: project } },
    },
    (request) => ownProject(request),
  );
}

function changeRoute(app: App): void {
  app.patch(
    "/projects/:projectId",
    {
      config: {
        scope: "session",
        roles: leading,
        confirmed: true,
        errors: ["version_conflict", "unsupported_currency", "card_number_refused"],
      },
      schema: {
        operationId: "updateProject",
        tags,
        summary: "Update a project",
        description:
          "`settings` replaces all settings. Send the `version` you read as `If-Match` to avoid overwriting a change you haven't seen.",
        params: pathOf("projectId"),
        body: projectChangeIn,
        response: { 200: project },
      },
    },
    async (request) => {
      const { project_id } = request.tenant;
      return showProject(
        await changeProject(request.ctx, { ...request.body, project_id, if_version: readIfMatch(request), hold: holdLogo }),
      );
    },
  );
}

function activeRoute(app: App): void {
  app.post(
    "/projects/active",
    {
      config: { scope: "session", roles: everyRole, confirmed: false, ofMerchant: true, errors: ["resource_missing"] },
      schema: {
        operationId: "setActiveProject",
        tags,
        summary: "Set the active project",
        description: "The project that paths without a project use in this session.",
        body: activeProjectIn,
        response: { 200: refTo<ActiveShape>("ActiveProject") },
      },
    },
    async (request) => {
      const { project_id } = request.body;
      if (!(await reachable(request)).some(({ id }) => id === project_id)) throw platformErrors.resource_missing({ param: "project_id" });
      return showActive(await setActive(request.ctx, { ...sessionOf(request), project_id }));
    },
  );
}

function environmentRoute(app: App): void {
  app.post(
    "/projects/active-environment",
    {
      config: { scope: "session", roles: everyRole, confirmed: false, ofMerchant: true },
      schema: {
        operationId: "setActiveEnvironment",
        tags,
        summary: "Set the active environment",
        description: "The environment of this session's requests that don't send `Tillpost-Environment`.",
        body: activeEnvironmentIn,
        response: { 200: refTo<ActiveShape>("ActiveProject") },
      },
    },
    async (request) => showActive(await setActive(request.ctx, { ...sessionOf(request), livemode: request.body.environment === "LIVE" })),
  );
}

function visitorOf({ principal }: FastifyRequest): Visitor {
  if (principal.visitor === null) throw platformErrors.permission_denied();
  return principal.visitor;
}

function sessionOf(request: FastifyRequest): { session_id: string; person_id: string; merchant_id: string } {
  const { session_id, id } = visitorOf(request);
  return { session_id, person_id: id, merchant_id: request.principal.merchant_id };
}

async function reachable(request: FastifyRequest): Promise<ProjectShape[]> {
  const { visitor } = request.principal;
  if (visitor === null) return [await ownProject(request)];
  const merchants = await listMerchantsOfPerson(request.ctx.db, visitor.id);
  const rows = (await Promise.all(merchants.map(({ merchant_id }) => listProjects(request.ctx.db, merchant_id)))).flat();
  return rows.sort((left, right) => (left.id < right.id ? 1 : -1)).map(showProject);
}

async function ownProject(request: Pick<FastifyRequest, "ctx" | "tenant">): Promise<ProjectShape> {
  const found = await findProject(request.ctx.db, request.tenant.project_id);
  if (found === null) throw platformErrors.resource_missing();
  return showProject(found);
}
