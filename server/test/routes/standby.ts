import { afterAll } from "vitest";
import { buildApp } from "#app/build-app.ts";
import { openDatabase } from "#platform/index.ts";
import { type Answer, type Api, apiOf } from "#test/support/app/api.ts";
import { contextOn } from "#test/support/app/context.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { pageHeaders, visitor } from "#test/support/people/visitors.ts";
import type { Ids } from "./ids.ts";
import { requests } from "./requests.ts";
import { buildWorld, worldGateways } from "./world.ts";

/** Who sends requests to a standby. */
export const callers = ["a key", "a signed-in person"] as const;
type Caller = (typeof callers)[number];

interface Standby {
  /** Sends the request of every route, as the caller for its place in the list. */
  askAll(callerOf: (place: number) => Caller): Promise<{
    /** Responses that no route may give. */
    faults: string[];
    /** How many got 503 with the time of the next attempt. */
    unavailable: number;
  }>;
}

const unlimited = 1_000_000;

/** A server whose database accepts no writes, as on a standby. Call it at the top of a file. */
export async function openStandby(): Promise<Standby> {
  const app = await testApp({
    gateways: worldGateways,
    http: { perMinuteTest: unlimited, perMinuteUnauthenticated: unlimited, burst: unlimited },
  });
  const { shop, ids } = await buildWorld(app);
  const owner = await visitor(app, { merchant_id: shop.merchant_id, is_operator: true });
  // As on a standby, no connection opened from now on may write.
  await app.asSuperuser((db) =>
    runStatement(db, `alter database ${new URL(app.url).pathname.slice(1)} set default_transaction_read_only = on`),
  );
  const standby = openDatabase({ url: app.url, max: 8 });
  const server = await buildApp({
    ctx: contextOn(standby, { now: () => app.clock.now(), files: app.ctx.files }),
    database: standby,
    settings: (await app.server()).runtime.settings,
  });
  afterAll(async () => {
    await server.close();
    await standby.close();
  });
  const headersOf: Record<Caller, Record<string, string>> = {
    "a key": { authorization: `Bearer ${shop.key}` },
    "a signed-in person": pageHeaders(owner.cookie, { origin: app.ctx.publicUrl, "tillpost-environment": "test" }),
  };
  const api = apiOf(async () => server, null);
  // Streams don't end on their own, and the dashboard isn't built here.
  const routes = server.routes.filter(({ url }) => !/(stream|\/pay\/:token\/events)$|^\/dashboard/.test(url));
  return {
    async askAll(callerOf) {
      const faults: string[] = [];
      let unavailable = 0;
      for (const [place, { method, url }] of routes.entries()) {
        const caller = callerOf(place);
        const answer = await ask(api, { method, url, ids, headers: headersOf[caller] });
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
