import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { buildDocument } from "#openapi/index.ts";
import type { RouteEntry } from "#requests/route-table.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { threadMs } from "#test/support/time/thread-time.ts";
import { type Documented, readDocuments } from "../documented.ts";
import { buildWorld, type SeededTenant, tierLimits } from "../world.ts";
import { type FuzzRequest, fuzzRequest } from "./fuzz-requests.ts";
import { type Dice, dice, oddTexts } from "./fuzz-values.ts";

/** Something that a response must never show. */
export interface Finding {
  number: number;
  what: string;
  request: string;
}

export interface FuzzReport {
  findings: Finding[];
  statuses: Map<number, number>;
  /** The most processor time of this thread that passed while a request was answered, including the concurrent ones. */
  busiestMs: number;
}

/** Codes from before any route: an address or a body that can't be read at all. */
const anywhere = new Set([
  "parameter_invalid",
  "invalid_json",
  "body_too_large",
  "unsupported_media_type",
  "route_missing",
  "resource_missing",
  "parameter_unknown",
]);

/** Processor time of the serving thread, which is this one: a busy machine makes responses late, not expensive. */
const maxBusyMs = 1_000;
/** Not a limit under test: a request without a response must end eventually. */
const timeoutMs = 60_000;
const atOnce = 8;

/** Settings without limits between the requests and the routes. */
export const withoutLimits = {
  perMinuteLive: 1e9,
  perMinuteTest: 1e9,
  perMinuteUnauthenticated: 1e9,
  perMinuteLinkReads: 1e9,
  perMinuteLinkReadsPerAddress: 1e9,
  perMinuteLinkInitiate: 1e9,
  perHourLinkProofs: 1e9,
  streamsPerLink: 10_000,
  streamsPerAddress: 100_000,
  tierLimits,
};

/** A server with a tenant in each environment, to be fuzzed. */
export interface Target {
  port: number;
  routes: RouteEntry[];
  worlds: SeededTenant[];
  documented: Documented;
  close(): void;
}

export async function openTarget(app: TestApp): Promise<Target> {
  const server = await app.server();
  const worlds = [await buildWorld(app), await buildWorld(app, { livemode: true })];
  await server.listen({ port: 0, host: "127.0.0.1" });
  const address = server.server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    // Whether it is built or not, the dashboard is files; an unbuilt one says 503.
    routes: server.routes.filter(({ url }) => !/^\/(reference|dashboard)/.test(url)),
    worlds,
    documented: readDocuments([buildDocument(server, "public"), buildDocument(server, "internal")]),
    // Half-sent bodies would keep the server open until they time out.
    close: () => server.server.closeAllConnections(),
  };
}

/** Sends `count` requests, determined by `seed`, over real sockets, and returns everything that was wrong. */
export async function fuzz(target: Target, given: { seed: number; count: number }): Promise<FuzzReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const report: FuzzReport = { findings: [], statuses: new Map(), busiestMs: 0 };
  const suspects: (Sending & { request: FuzzRequest })[] = [];
  let number = 0;
  const work = async () => {
    while (number < given.count) {
      number += 1;
      // Each request has its own dice, so a finding can be repeated individually by its number.
      const throwing = dice(given.seed * 1_000_003 + number);
      const sending = { target, agent, number, report, suspects };
      await (throwing.chance(0.04) ? sendRaw(throwing, sending) : sendOne(fuzzRequest(throwing, target.routes, target.worlds), sending));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const { request, ...sending } of suspects) report.findings.push(...(await checkAlone(request, sending)));
  agent.destroy();
  return report;
}

/** Sends a request while nothing else runs, so that the thread's time is the request's; returns what was wrong. */
export async function checkAlone(
  request: FuzzRequest,
  sending: Pick<Sending, "target" | "agent" | "number">,
  maxMs = maxBusyMs,
): Promise<Finding[]> {
  const answer = await exchange(request, sending);
  const what = answer.busyMs > maxMs ? `held the thread for ${Math.round(answer.busyMs)} ms` : wrongIn(answer, { request, ...sending });
  return what === null ? [] : [{ number: sending.number, what, request: describe(request) }];
}

interface Sending {
  target: Pick<Target, "port" | "documented">;
  agent: Agent;
  number: number;
  report: FuzzReport;
  /** Requests to be sent once more individually: the thread was busy for long, or a busy machine's database couldn't respond in time. */
  suspects: (Sending & { request: FuzzRequest })[];
}

async function sendOne(request: FuzzRequest, sending: Sending): Promise<void> {
  const answer = await exchange(request, sending);
  const { report, number, suspects } = sending;
  const isAway = answer.status === 503;
  if (isAway || answer.busyMs > maxBusyMs) suspects.push({ ...sending, request });
  report.statuses.set(answer.status, (report.statuses.get(answer.status) ?? 0) + 1);
  report.busiestMs = Math.max(report.busiestMs, answer.busyMs);
  const what = isAway ? null : wrongIn(answer, { request, ...sending });
  if (what !== null) report.findings.push({ number, what, request: describe(request) });
}

function wrongIn(answer: Exchanged, { request, target }: { request: FuzzRequest } & Pick<Sending, "target">): string | null {
  const what = faultOf(answer, request) ?? undocumented(answer, { request, documented: target.documented });
  return what === null ? null : `${what}: ${answer.text.slice(0, 300)}`;
}

interface Exchanged {
  status: number;
  text: string;
  type: string;
  busyMs: number;
}

async function exchange(request: FuzzRequest, sending: Pick<Sending, "target" | "agent">): Promise<Exchanged> {
  let answer: Answer | null = null;
  const busyMs = await threadMs(async () => {
    answer = await send(request, sending);
  });
  return { ...(answer as unknown as Answer), busyMs };
}

type Answer = Omit<Exchanged, "busyMs">;

function send(request: FuzzRequest, { target: { port }, agent }: Pick<Sending, "target" | "agent">): Promise<Answer> {
  return new Promise((resolve) => {
    const done = (status: number, text: string, type = "") => resolve({ status, text, type });
    const length = request.body === null ? {} : { "content-length": request.body.length };
    const client = httpRequest(
      {
        port,
        host: "127.0.0.1",
        agent,
        method: request.method,
        path: request.path,
        headers: { ...request.headers, ...length },
        timeout: timeoutMs,
      },
      (reply) => {
        const type = String(reply.headers["content-type"] ?? "");
        // A stream of events never ends on its own.
        if (type.startsWith("text/event-stream")) {
          done(reply.statusCode ?? 0, "", type);
          return client.destroy();
        }
        let text = "";
        reply.setEncoding("utf8").on("data", (part: string) => (text.length < 2000 ? (text += part) : null));
        return reply.on("end", () => done(reply.statusCode ?? 0, text, type)).on("error", () => done(0, "the answer was cut off"));
      },
    );
    client.on("timeout", () => client.destroy(new Error("no answer")));
    client.on("error", (error: NodeJS.ErrnoException) =>
      done(error.code === "ECONNRESET" || error.code === "EPIPE" ? -1 : 0, String(error)),
    );
    client.end(request.body ?? undefined);
  });
}

/** -1 is a connection that the server closed while a refused body was still being sent. */
function faultOf({ status, text, type }: Exchanged, request: FuzzRequest): string | null {
  if (status === -1) return null;
  if (status === 0) return "no answer";
  if (status >= 500) return `status ${status}`;
  if (
    status >= 400 &&
    request.method !== "HEAD" &&
    type.startsWith("application/json") &&
    !/^\{"error":\{"type":"[a-z_]+","code":"[a-z_]+","message":"./.test(text)
  )
    return "an error of another shape";
  return null;
}

/** A response's code must be documented for its route, or programs would get undocumented errors. */
function undocumented({ status, text }: Exchanged, given: { request: FuzzRequest; documented: Documented }): string | null {
  const code = status < 400 ? undefined : /"code":"([a-z_]+)"/.exec(text)?.[1];
  const path = given.request.path.split("?", 1).join("");
  const route = given.documented.find(({ method, pattern }) => method === given.request.method && pattern.test(path));
  if (code === undefined || route === undefined || route.codes.has(`${status} ${code}`) || anywhere.has(code)) return null;
  return `answers ${status} ${code}, which its document does not tell`;
}

function describe({ method, path, headers, body }: FuzzRequest): string {
  return `${method} ${path} ${JSON.stringify(headers)} ${body === null ? "" : JSON.stringify(body.subarray(0, 600).toString("latin1"))}`;
}

/** What no HTTP client sends: contradictions in the framing, bytes in place of text, repeated headers. */
function rawText(throwing: Dice): string {
  const word = throwing.pick(oddTexts).slice(0, 200);
  const json = '{"amount_minor":1,"currency":"CNY"}';
  const host = "Host: localhost\r\nConnection: close\r\n";
  return throwing.pick([
    `POST /api/v1/orders HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    `POST /api/v1/orders HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\n${json}`,
    `POST /api/v1/orders HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
    `POST /api/v1/orders HTTP/1.1\r\n${host}Content-Length: 99999999999999\r\n\r\n`,
    `POST /api/v1/orders HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${json}\r\n0\r\n\r\n`,
    `GET /api/v1/orders HTTP/1.1\r\n${host}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
    `GET /api/v1/orders HTTP/1.1\r\n${host}X-API-Key: a\r\nX-API-Key: b\r\n\r\n`,
    `GET /api/v1/orders?${word} HTTP/1.1\r\n${host}\r\n`,
    `GET /\xff\xfe${word} HTTP/1.1\r\n${host}\r\n`,
    `GET /pay/${word} HTTP/1.1\r\n${host}Idempotency-Key: ${word}\r\n\r\n`,
    `GET http://other.test/api/v1/orders HTTP/1.1\r\n${host}\r\n`,
    `GET /api/v1/orders HTTP/9.9\r\n${host}\r\n`,
    `GET /${"a".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}X: ${"a".repeat(40_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}No colon here\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host} Folded: x\r\n\r\n`,
    "GET /\r\n\r\n",
    `${word}\r\n\r\n`,
    `POST /api/public/pay/x/voucher HTTP/1.1\r\n${host}Content-Type: multipart/form-data\r\nContent-Length: 3\r\n\r\nabc`,
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001",
  ]);
}

/** The server must respond below 500 or close; it may wait only for bytes that were promised. */
function sendRaw(throwing: Dice, { target: { port }, number, report }: Sending): Promise<void> {
  const text = rawText(throwing);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(Buffer.from(text, "latin1")));
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error("hang")));
    socket.on("data", (part) => (answer += part.toString("latin1")));
    socket.on("error", (error) => error.message === "hang" && report.findings.push({ number, what: "hangs", request: text }));
    socket.on("close", () => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 400);
      report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
      if (status >= 500) report.findings.push({ number, what: `status ${status}: ${answer.slice(-300)}`, request: text });
      resolve();
    });
  });
}
