import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { findFigures } from "#orders/index.ts";
import { pathOf, refTo, strict } from "../schemas/fields.ts";
import type { FiguresShape } from "../shapes/figures.ts";

const moment = (description: string) => Type.Optional(Type.String({ format: "date-time", description, examples: ["2026-11-01T00:00:00Z"] }));

export const figureRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/figures",
    {
      config: { scope: "orders:read" },
      schema: {
        operationId: "getFigures",
        tags: ["Orders"],
        summary: "Retrieve figures",
        description: "What was taken in a span of at most 400 days, by day and by channel.",
        params: pathOf("projectId"),
        querystring: strict({
          from: moment("The beginning. Without it: 30 days before the end."),
          to: moment("The end, which does not belong to the span. Without it: now."),
          time_zone: Type.Optional(Type.String({ maxLength: 64, default: "UTC", description: "IANA name of the zone whose midnights divide days." })),
        }),
        response: { 200: refTo<FiguresShape>("Figures") },
      },
    },
    (request) => {
      const { from, to, time_zone } = request.query;
      return findFigures(request.ctx, request.tenant, { from: dateOf(from), to: dateOf(to), time_zone: time_zone ?? "UTC" });
    },
  );
};

function dateOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}
