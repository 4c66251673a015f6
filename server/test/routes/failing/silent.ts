import { randomInt } from "node:crypto";
import { openDatabase } from "#platform/index.ts";
import { type DatabaseProxy, startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { openAllRoutes } from "./ask-all.ts";

const far = 600_000;
/** At most this many texts of statements get a response before the database stops. */
const textsMax = 12;

/**
 * A server whose database stops responding at some moment of each request, behind a balancer that accepts connections. Call it at the top
 * of a file.
 */
export function openSilent(): ReturnType<typeof openAllRoutes> {
  let proxy: DatabaseProxy | undefined;
  let left = Number.POSITIVE_INFINITY;
  return openAllRoutes({
    // What ends a wait is that its request has waited long enough: every other limit is far away.
    settings: { databaseWaitMs: 20 },
    // An import lifts its request's limit, because a long statement takes long; its waits end with the limits that are far away here.
    except: /\/receipts\/import/,
    async open(app) {
      const opened = await startDatabaseProxy(app.url);
      proxy = opened;
      const probe = () => {
        left -= 1;
        if (left < 0) opened.mode = "hold";
      };
      const database = openDatabase({ url: opened.url, max: 8, waitMs: far, lockMs: far, noticeMs: far, probe });
      return { ...database, close: () => database.close(0).finally(() => opened.close()) };
    },
    before() {
      left = randomInt(textsMax);
    },
    after() {
      left = Number.POSITIVE_INFINITY;
      if (proxy?.mode !== "hold") return;
      proxy.drop();
      proxy.mode = "pass";
    },
  });
}
