import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { platformErrors } from "#platform/index.ts";
import { parseJson } from "../validation/parse-json.ts";
import { createByteBudget } from "./byte-budget.ts";
import { parseApart } from "./parse-apart.ts";
import { type Spooled, smallBytesMax, spoolBody } from "./spool-body.ts";

/** The largest body of an email or a batch. */
export const largeBytesMax = 35 * 1024 * 1024;

/**
 * Large bodies in memory at once, by their size on the wire. The data created from one (text, object, attachment, statement) is about five
 * times that.
 */
const heldBytesMax = 48 * 1024 * 1024;
const waitMs = 30_000;

/** The memory that a request was granted for its large body. */
interface MemoryGrant {
  bytes: number;
  working: boolean;
  gone: boolean;
  release(): void;
}

/**
 * Reads the JSON bodies of a surface with large ones. They are written to disk first, any number at once, and loaded into memory when there
 * is room, which is kept until the response was created.
 */
export function readLargeBodies(app: FastifyInstance): void {
  const budget = createByteBudget({ usual: heldBytesMax, reserved: 0, waitMs });
  const grants = new WeakMap<FastifyRequest, MemoryGrant>();
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    const declared = request.headers["content-length"];
    const limit = request.routeOptions.bodyLimit;
    const body = await spoolBody(payload, { limit, length: declared === undefined ? null : Number(declared) });
    if (body.bytes <= smallBytesMax) return parseJson(await body.take());
    return parseLarge(body, grants.get(request) ?? noGrant);
  });
  app.addHook("preParsing", (request, reply, _payload, done) => {
    if (request.routeOptions.bodyLimit <= smallBytesMax) return done();
    const grant = createGrant((bytes) => budget.give({ project_id: "", bytes }));
    grants.set(request, grant);
    reply.raw.once("close", () => {
      grant.gone = true;
      if (!grant.working) grant.release();
    });
    done();
  });
  app.addHook("onSend", (request, _reply, payload, done) => {
    grants.get(request)?.release();
    done(null, payload);
  });

  async function parseLarge(body: Spooled, grant: MemoryGrant): Promise<unknown> {
    if (!(await budget.take({ project_id: "", bytes: body.bytes }))) {
      await body.drop();
      throw platformErrors.concurrency_limited({ message: "Too many large bodies at the same time.", headers: { "retry-after": "5" } });
    }
    grant.bytes = body.bytes;
    try {
      if (grant.gone) throw Object.assign(new Error("the sender went away"), { statusCode: 400 });
      return await parseSpooled(body);
    } catch (error) {
      await body.drop();
      grant.release();
      throw error;
    }
  }

  app.addHook("preHandler", (request, _reply, done) => {
    const grant = grants.get(request);
    if (grant !== undefined) grant.working = true;
    done();
  });
}

/** In another thread, because this one would be blocked. */
async function parseSpooled(body: Spooled): Promise<unknown> {
  if (body.path === null) return parseJson(await body.take());
  const value = await parseApart(body.path);
  await body.drop();
  return value;
}

function createGrant(give: (bytes: number) => void): MemoryGrant {
  return {
    bytes: 0,
    working: false,
    gone: false,
    release() {
      const { bytes } = this;
      this.bytes = 0;
      if (bytes > 0) give(bytes);
    },
  };
}

const noGrant: MemoryGrant = createGrant(() => {});
