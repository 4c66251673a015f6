import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { platformErrors } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { listOf, listQuery, readList, showList } from "../lists.ts";
import { pathOf, refTo } from "../schemas/fields.ts";
import { type ProjectShape, showProject } from "../shapes/project.ts";

export const projectRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects",
    {
      config: { scope: "any_key", errors: ["invalid_cursor", "parameter_conflict"] },
      schema: {
        operationId: "listProjects",
        tags: ["Projects"],
        summary: "List projects",
        description: "The projects that the credentials reach. A key reaches one: its own.",
        querystring: listQuery({ created: false, total: true }),
        response: { 200: listOf<ProjectShape>("Project", "a project's id") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const cursor = query.starting_after ?? query.ending_before;
      const project = await ownProject(request);
      if (cursor !== null && cursor !== project.id)
        throw platformErrors.invalid_cursor({ param: query.starting_after === null ? "ending_before" : "starting_after" });
      return showList({ url: "/api/v1/projects", data: cursor === null ? [project] : [], has_more: false, total_count: query.include_total ? 1 : undefined });
    },
  );

  app.get(
    "/projects/:projectId",
    {
      config: { scope: "any_key" },
      schema: {
        operationId: "getProject",
        tags: ["Projects"],
        summary: "Retrieve a project",
        params: pathOf("projectId"),
        response: { 200: refTo<ProjectShape>("Project") },
      },
    },
    (request) => ownProject(request),
  );
};

async function ownProject(request: Pick<FastifyRequest, "ctx" | "tenant">): Promise<ProjectShape> {
  const project = await findProject(request.ctx.db, request.tenant.project_id);
  if (project === null) throw platformErrors.resource_missing();
  return showProject(project);
}
