import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { findFigures } from "#orders/index.ts";
import { zoneOfRequest } from "#requests/index.ts";
import { type FiguresShape, pathOf, refTo, strict } from "#schemas/index.ts";

const moment = (description: string) =>
  Type.Optional(Type.String({ format: "date-time", description, examples: ["2026-11-01T00:00:00Z"] }));

export const figureRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/figures",
    {
      config: { scope: "orders:read" },
      schema: {
        operationId: "getFigures",
        tags: ["Orders"],
        summary: "Retrieve figures",
        description: "The amounts received in a period of up to 400 days, by day and by channel.",
        params: pathOf("projectId"),
        querystring: strict({
          from: moment("The start of the period. Defaults to 30 days before the end."),
          to: moment("The end of the period, which isn't included. Defaults to now."),
          time_zone: Type.Optional(
            Type.String({
              maxLength: 64,
              description: "The IANA time zone whose midnights separate days. Defaults to the project's time zone.",
              examples: ["Asia/Shanghai"],
            }),
          ),
        }),
        response: { 200: refTo<FiguresShape>("Figures") },
      },
    },
    async (request) => {
      const { from, to } = request.query;
      const time_zone = await zoneOfRequest(request, request.query.time_zone);
      return findFigures(request.ctx, request.tenant, { from: dateOf(from), to: dateOf(to), time_zone });
    },
  );
};

function dateOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}
