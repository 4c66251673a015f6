import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { noSuchTimeZone, platformErrors, readTimeZone } from "#platform/index.ts";
import { findProject, zoneOfProject } from "#projects/index.ts";

/** The zone of an export's second time column. */
export const exportZone = Type.Optional(
  Type.String({
    maxLength: 64,
    description: "The IANA time zone of `created_at_local` in CSV, such as `Asia/Shanghai`.",
    examples: ["Asia/Shanghai"],
  }),
);

/** The zone in a query, in its usual spelling. Throws parameter_invalid for an unknown zone. */
export function readZone(given: string | undefined): string | undefined {
  const zone = given === undefined ? undefined : readTimeZone(given);
  if (zone === null) throw platformErrors.parameter_invalid({ param: "time_zone", reason: "no_such_time_zone", message: noSuchTimeZone });
  return zone;
}

/** The zone in a query, otherwise that of the request's project. */
export async function zoneOfRequest({ ctx, tenant }: Pick<FastifyRequest, "ctx" | "tenant">, given: string | undefined): Promise<string> {
  const zone = readZone(given);
  if (zone !== undefined) return zone;
  const project = await findProject(ctx.db, tenant.project_id);
  if (project === null) throw platformErrors.resource_missing();
  return zoneOfProject(project);
}
