import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { type Principal, readAgain } from "#identity/index.ts";
import { createInFlight, type InFlight, platformErrors } from "#platform/index.ts";
import { type Asked, askedOf, createEventStreams, type EventStreams, many, refusalOf } from "#requests/index.ts";
import { pathOf, streamOut, strict } from "#schemas/index.ts";
import { eventFilter, type PulledEvent, streamStart, watchEvents } from "#webhooks/index.ts";

const breathMs = 15_000;
/** How soon a stream ends once its session or its key may no longer read it. */
const lookMs = 3_000;
/** How many streams a key, or a person's session, can have open. */
export const streamsPerKey = 20;

const resumed = Type.Object({
  "last-event-id": Type.Optional(Type.String({ description: "The ID of the last event you have: the stream continues after it." })),
});

/** `GET …/events/stream`: each event as soon as it is numbered, from the reader's position. */
export const eventStreamRoute: FastifyPluginAsyncTypebox = async (app) => {
  const watch = watchEvents(app.runtime.ctx);
  const streams = createEventStreams<Asked>(app, { breathMs });
  const places = createInFlight({ waitMs: 0, depthFactor: 0 });
  endRefused(app, streams);
  app.addHook("preClose", (done) => {
    watch.close();
    done();
  });
  app.get(
    "/projects/:projectId/events/stream",
    {
      exposeHeadRoute: false,
      config: { scope: "webhooks:read", errors: ["invalid_cursor", "concurrency_limited"] },
      schema: {
        operationId: "streamEvents",
        tags: ["Events"],
        summary: "Follow events",
        description: `Server-sent events: \`id\` is the event's ID, and \`data\` is the event as webhooks deliver it. Starts now, or after the event in \`Last-Event-ID\`. Up to ${streamsPerKey} streams per key.`,
        params: pathOf("projectId"),
        headers: resumed,
        querystring: strict({
          event: many("Only events with these names or in these families, such as `order.*`. Can be repeated."),
          include: many("`tests` adds test events.", { enum: ["tests"] }),
        }),
        response: streamOut,
      },
    },
    async (request, reply) => {
      const { tenant } = request;
      const wants = readFilter(request);
      takePlace(places, request, reply);
      const start = await streamStart(request.ctx, tenant, lastIdOf(request));
      releaseSlot(app, request);
      streams.start(reply, {
        reader: askedOf(request),
        first: "retry: 2000\n\n",
        follow: (write) =>
          watch.follow(tenant, start, (event) => {
            if (wants(event)) write(`id: ${event.id}\ndata: ${event.body.toString("utf8")}\n\n`);
          }),
      });
    },
  );
};

/**
 * Takes one of the key's places, until the response is over. Throws concurrency_limited. Called before anything is awaited, so that
 * concurrent requests count each other.
 */
function takePlace(places: InFlight, { principal }: FastifyRequest, { raw }: FastifyReply): void {
  // A client that left earlier sends no further event.
  if (raw.closed) return;
  if (places.enter(principal.key_id, streamsPerKey) !== true) throw platformErrors.concurrency_limited({ headers: { "retry-after": "5" } });
  const leave = () => {
    raw.off("finish", leave).off("close", leave);
    places.leave(principal.key_id);
  };
  raw.once("finish", leave).once("close", leave);
}

/** An empty header counts as absent: some clients send one before their first event. */
function lastIdOf({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  const id = String(headers["last-event-id"] ?? "");
  return id === "" ? undefined : id;
}

function readFilter(request: FastifyRequest): (event: PulledEvent) => boolean {
  const query = request.query as { event?: string[]; include?: string[] };
  const wants = eventFilter(query.event ?? null, "event");
  const tests = query.include?.includes("tests") === true;
  return (event) => (tests || !event.test) && wants(event.event);
}

/** A stream stays open for hours, so it releases its slot among the key's concurrent requests right away. */
function releaseSlot(app: FastifyInstance, request: FastifyRequest): void {
  if (request.inFlightOf !== null) app.inFlight.leave(request.inFlightOf);
  request.inFlightOf = null;
}

/** A stream outlives its first check, so its caller is checked again and again, by the same rules as a new request. */
function endRefused(app: FastifyInstance, streams: EventStreams<Asked>): void {
  let looking = false;
  const look = async () => {
    const readers = streams.readers();
    if (looking || readers.length === 0) return;
    looking = true;
    try {
      const now = await readAgain(
        app.runtime.ctx,
        readers.map(({ principal }) => principal),
      );
      streams.end(readers.filter((reader, index) => isRefused(reader, now[index] ?? null)));
    } catch (error) {
      app.runtime.ctx.log.warn({ err: error }, "open streams couldn't be checked; trying again");
    }
    looking = false;
  };
  const timer = setInterval(() => void look(), app.runtime.settings.streamLookMs ?? lookMs).unref();
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    done();
  });
}

function isRefused(reader: Asked, principal: Principal | null): boolean {
  return principal === null || refusalOf({ ...reader, principal }) !== null;
}
