import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { findEvent, type PulledEvent, pullEvents } from "#webhooks/index.ts";
import { cursorOf, listOf, listQuery, listUrl, many, pageErrors, readList, showList } from "../../lists.ts";
import { oneOf, pathOf, refTo } from "../../schemas/fields.ts";
import type { EventShape } from "../../shapes/event.ts";

const tags = ["Events"];

/** Events for whoever asks instead of being told. */
export const eventRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/events",
    {
      config: { scope: "webhooks:read", errors: pageErrors },
      schema: {
        operationId: "listEvents",
        tags,
        summary: "List events",
        description: "The events of the last 30 days in the order in which they became visible, so that reading on from the last one seen skips none.",
        params: pathOf("projectId"),
        querystring: listQuery({
          more: {
            event: many("Only events of these names. May be repeated."),
            delivery_success: Type.Optional(oneOf(["true", "false"], "`false`: some endpoint that it was for has not received it. `true`: every one has.")),
          },
        }),
        response: { 200: listOf<EventShape>("Event", "an event's id") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const wanted = request.query.delivery_success as "true" | "false" | undefined;
      const { rows, has_more } = await pullEvents(request.ctx, request.tenant, {
        ...cursorOf(query),
        event: (request.query.event as string[] | undefined) ?? [],
        delivery_success: wanted === undefined ? null : wanted === "true",
        created: query.created,
      });
      return showList({ url: listUrl(request.tenant, "events"), data: rows.map(showEvent), has_more, upwards: query.ending_before !== null });
    },
  );
  app.get(
    "/projects/:projectId/events/:id",
    {
      config: { scope: "webhooks:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getEvent",
        tags,
        summary: "Retrieve an event",
        params: pathOf("projectId", "id"),
        response: { 200: refTo<EventShape>("Event") },
      },
    },
    async (request) => showEvent(await findEvent(request.ctx, request.tenant, request.params.id)),
  );
};

function showEvent(row: PulledEvent): EventShape {
  return JSON.parse(row.body.toString("utf8")) as EventShape;
}
