import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { type App, cursorOf, listOf, listQuery, listUrl, many, pageErrors, readList, showList, showUnpaged } from "#requests/index.ts";
import { type DeliveryShape, type EventShape, oneOf, pathOf, refTo, showDelivery, showEvent } from "#schemas/index.ts";
import { type DeliveryFilter, findEvent, listDeliveries, pullEvents } from "#webhooks/index.ts";

const tags = ["Events"];
const deliveryFilters = { true: "delivered", false: "undelivered", waiting: "waiting", given_up: "given_up" } as const satisfies Record<
  string,
  DeliveryFilter
>;

/** Events for clients that pull instead of receiving webhooks. */
export const eventRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/events",
    {
      config: { scope: "webhooks:read", errors: [...pageErrors, "parameter_invalid"] },
      schema: {
        operationId: "listEvents",
        tags,
        summary: "List events",
        description:
          "The events of the last 30 days, in the order in which they became visible, so you can continue from the last one you saw without missing any.",
        params: pathOf("projectId"),
        querystring: listQuery({
          include: { names: ["tests"], description: "`tests` adds test events." },
          more: {
            event: many("Only events with these names or in these families, such as `order.*`. Can be repeated."),
            delivery_success: Type.Optional(
              oneOf(
                ["true", "false", "waiting", "given_up"],
                "`true`: every endpoint it was meant for has received it. `false`: at least one hasn't. Of those, `waiting`: it will be retried; `given_up`: retries have ended, or the endpoint was disabled.",
              ),
            ),
          },
        }),
        response: { 200: listOf<EventShape>("Event", "an event's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const wanted = request.query.delivery_success as keyof typeof deliveryFilters | undefined;
      const { rows, ...page } = await pullEvents(request.ctx, request.tenant, {
        ...cursorOf(query),
        event: (request.query.event as string[] | undefined) ?? [],
        delivery: wanted === undefined ? null : deliveryFilters[wanted],
        tests: ((request.query.include as string[] | undefined) ?? []).includes("tests"),
        created: query.created,
      });
      return showList({ url: listUrl(request.tenant, "events"), data: rows.map(showEvent), ...page });
    },
  );
  eventRoute(app);
  deliveriesRoute(app);
};

function eventRoute(app: App): void {
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
}

function deliveriesRoute(app: App): void {
  app.get(
    "/projects/:projectId/events/:id/deliveries",
    {
      config: { scope: "webhooks:read", errors: ["resource_missing"] },
      schema: {
        operationId: "listEventDeliveries",
        tags,
        summary: "List an event's deliveries",
        description:
          "One for each webhook endpoint that subscribed to the event when it occurred, including deleted endpoints. Never more than one page.",
        params: pathOf("projectId", "id"),
        querystring: listQuery({ page: "whole", created: false }),
        response: { 200: listOf<DeliveryShape>("WebhookDelivery", "a delivery's ID") },
      },
    },
    async (request) => {
      const rows = await listDeliveries(request.ctx, request.tenant, request.params.id);
      const url = listUrl(request.tenant, `events/${request.params.id}/deliveries`);
      return showUnpaged({ url, data: rows.map(showDelivery) }, request.query);
    },
  );
}
