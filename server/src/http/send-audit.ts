import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type, { type TSchema } from "typebox";
import { type AuditFilters, exportAudit, listAudit } from "#audit/index.ts";
import { cursorOf, exportZone, filtersOf, readList, readZone, showList } from "#requests/index.ts";
import { type AuditShape, oneOf, showAudit } from "#schemas/index.ts";

const exportTypes = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" } as const;

const filter = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }));

/** Filters of an audit log in addition to the page. */
export const auditFilters: Record<string, TSchema> = {
  actor_id: filter("Only actions by this person, key or buyer."),
  object_id: filter("Only actions on this object."),
  action: filter("Only this action, or all that start with it: `api_key` matches `api_key.created`, `api_key.rotated` and so on."),
  format: Type.Optional(oneOf(["json", "csv", "jsonl"], "`csv` or `jsonl` exports all matching objects, without pages.")),
  time_zone: exportZone,
};

/** Returns an audit log as a page, or as a file. */
export async function sendAudit(
  request: FastifyRequest,
  reply: FastifyReply,
  given: { url: string; merchant_id: string | null },
): Promise<unknown> {
  const params = request.query as Record<string, string | undefined>;
  const query = readList(params);
  const { created_gte, created_gt, created_lte, created_lt } = filtersOf(query);
  const filters: AuditFilters = {
    merchant_id: given.merchant_id,
    ...(params["actor_id"] === undefined ? {} : { actor_id: params["actor_id"] }),
    ...(params["object_id"] === undefined ? {} : { object_id: params["object_id"] }),
    ...(params["action"] === undefined ? {} : { action: params["action"] }),
    ...(created_gte === undefined ? {} : { created_gte }),
    ...(created_gt === undefined ? {} : { created_gt }),
    ...(created_lte === undefined ? {} : { created_lte }),
    ...(created_lt === undefined ? {} : { created_lt }),
  };
  const format = params["format"];
  if (format === "csv" || format === "jsonl") {
    request.waitLimit.lift();
    reply.type(exportTypes[format]).header("content-disposition", `attachment; filename="audit.${format}"`);
    return reply.send(
      Readable.from(exportAudit(request.ctx, { format, time_zone: readZone(params["time_zone"]) ?? "UTC", filters })) as never,
    );
  }
  const { rows, ...page } = await listAudit(request.ctx, { ...cursorOf(query), filters });
  return showList<AuditShape>({ url: given.url, data: rows.map(showAudit), ...page });
}
