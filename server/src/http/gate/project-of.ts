import type { FastifyRequest } from "fastify";

/**
 * The project that a request names: in its path, in `project_id` of a list that is flat by design, or, from a page of ours,
 * in `Tillpost-Project`, so that a second tab cannot flip the first. Undefined: the key's own, or the session's active one.
 */
export function projectOf(request: FastifyRequest): string | undefined {
  const { projectId } = (request.params ?? {}) as { projectId?: string };
  const { project_id } = (request.query ?? {}) as { project_id?: unknown };
  const header = request.headers.cookie === undefined ? undefined : request.headers["tillpost-project"];
  return projectId ?? (typeof project_id === "string" ? project_id : undefined) ?? (typeof header === "string" ? header : undefined);
}
