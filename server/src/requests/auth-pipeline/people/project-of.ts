import type { FastifyRequest } from "fastify";

/**
 * The project that a request names: in its path, in `project_id` of a list that is flat by design, or, from a page of ours,
 * in `Tillpost-Project`, so that a second tab cannot flip the first. Undefined: the key's own, or the session's active one.
 */
export function projectOf(request: FastifyRequest): string | undefined {
  const { projectId } = (request.params ?? {}) as { projectId?: string };
  const { project_id } = (request.query ?? {}) as { project_id?: unknown };
  const header = merchantOf(request) === null ? pageHeader(request, "tillpost-project") : undefined;
  return projectId ?? (typeof project_id === "string" ? project_id : undefined) ?? header;
}

/**
 * The merchant that a page of ours names in `Tillpost-Merchant`, in place of a project: one that has none yet can be reached by nothing
 * else.
 */
export function merchantOf(request: FastifyRequest): string | null {
  return pageHeader(request, "tillpost-merchant") ?? null;
}

function pageHeader({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers.cookie === undefined ? undefined : headers[name];
  return typeof value === "string" ? value : undefined;
}
