import { afterAll } from "vitest";
import { buildApp } from "#app/build-app.ts";
import type { Database } from "#platform/index.ts";
import type { HttpSettings } from "#requests/index.ts";
import { type Answer, type Api, apiOf } from "#test/support/app/api.ts";
import { contextOn } from "#test/support/app/context.ts";
import { type TestApp, testApp } from "#test/support/app/test-app.ts";
import { pageHeaders, visitor } from "#test/support/people/visitors.ts";
import type { Ids } from "../ids.ts";
import { requests } from "../requests.ts";
import { buildWorld, worldGateways } from "../world.ts";

/** Who sends the requests. */
export const callers = ["a key", "a signed-in person"] as const;
type Caller = (typeof callers)[number];

interface AllRoutes {
  /** Sends the request of every route, as the caller for its place in the list; null leaves it out. */
  askAll(callerOf: (place: number) => Caller | null): Promise<{
    /** Responses that no route may give. */
    faults: string[];
    /** How many got 503 with the time of the next attempt. */
    unavailable: number;
  }>;
}

/** The server of all routes, when its database fails. */
interface Failing {
  /** Opens the server's database once everything that requests need is in it. */
  open(app: TestApp): Promise<Database>;
  settings?: Partial<HttpSettings>;
  /** URLs of routes that aren't asked. */
  except?: RegExp;
  /** Called before and after each request. */
  before?(): void;
  after?(): void;
}

const unlimited = 1_000_000;

/** A server whose database fails in some way, and which never responds with an error other than 503. Call it at the top of a file. */
export async function openAllRoutes({ open, settings, except, before, after }: Failing): Promise<AllRoutes> {
  const app = await testApp({
    gateways: worldGateways,
    http: { perMinuteTest: unlimited, perMinuteUnauthenticated: unlimited, burst: unlimited },
  });
  const { shop, ids } = await buildWorld(app);
  const owner = await visitor(app, { merchant_id: shop.merchant_id, is_operator: true });
  const database = await open(app);
  const server = await buildApp({
    ctx: contextOn(database, { now: () => app.clock.now(), files: app.ctx.files }),
    database,
    settings: { ...(await app.server()).runtime.settings, ...settings },
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });
  const headersOf: Record<Caller, Record<string, string>> = {
    "a key": { authorization: `Bearer ${shop.key}` },
    "a signed-in person": pageHeaders(owner.cookie, { origin: app.ctx.publicUrl, "tillpost-environment": "test" }),
  };
  const api = apiOf(async () => server, null);
  // Streams don't end on their own, and the dashboard isn't built here.
  const routes = server.routes.filter(({ url }) => !/(stream|\/pay\/:token\/events)$|^\/dashboard/.test(url) && except?.test(url) !== true);
  return {
    async askAll(callerOf) {
      const faults: string[] = [];
      let unavailable = 0;
      for (const [place, { method, url }] of routes.entries()) {
        const caller = callerOf(place);
        if (caller === null) continue;
        before?.();
        const answer = await ask(api, { method, url, ids, headers: headersOf[caller] });
        after?.();
        if (answer.status === 503 && answer.headers["retry-after"] !== undefined) unavailable += 1;
        else if (answer.status >= 500) faults.push(`${method} ${url} of ${caller}: ${answer.status} ${answer.text.slice(0, 200)}`);
      }
      return { faults, unavailable };
    },
  };
}

interface Asked {
  method: string;
  url: string;
  ids: Ids;
  headers: Record<string, string>;
}

function ask(api: Api, { method, url, ids, headers }: Asked): Promise<Answer> {
  const request = requests[`${method} ${url}`] ?? {};
  const values: Record<string, string> = { ...ids, id: request.id === undefined ? "none" : ids[request.id] };
  const form = request.payload?.();
  return api.call(method, url.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? "none").replace("*", ids.leave), {
    headers: { ...headers, ...(form === undefined ? {} : { "content-type": form.type }) },
    ...(form === undefined ? { body: request.body?.(ids) ?? (method === "GET" ? undefined : {}) } : { payload: form.payload }),
  });
}
