import { expect, test } from "vitest";
import type { Exchange } from "#platform/index.ts";
import { classifyExchange } from "./classify-exchange.ts";

const answered = (status: number, body: object | string, headers: Record<string, string> = {}): Extract<Exchange, { status: number }> => {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return { status, headers, body: bytes, truncated: false, duration_ms: 1, error_code: null };
};
const error = (status: number, code: number | string, headers?: Record<string, string>) =>
  answered(status, { status, code, message: "Its words." }, headers);
const failed = (more: Partial<Extract<Exchange, { status: null }>>): Exchange => {
  return { status: null, error_code: "timeout", duration_ms: 1, head: null, sent: true, ...more };
};

test.each<[string, Exchange, string]>([
  ["201 with an object", answered(201, { sid: "SM1" }), "done"],
  ["200 with something else", answered(200, "[1]"), "unknown unreadable"],
  ["201 with half an object", answered(201, '{"sid":'), "unknown unreadable"],
  ["201 that was too long", { ...answered(201, { sid: "SM1" }), truncated: true }, "unknown unreadable"],
  ["400 with a code about what was asked", error(400, 21211), "refused 21211"],
  ["a code written as a text", error(400, "21211"), "refused 21211"],
  ["400 without a code", answered(400, "no"), "refused null"],
  ["422 without a code", answered(422, { message: "No." }), "refused null"],
  ["401", error(401, 20003), "deferred 20003 account"],
  ["401 of something between", answered(401, "<html>"), "deferred null account"],
  ["403 of a suspended account", error(403, 20005), "deferred 20005 account"],
  ["403 about what was asked", error(403, 21610), "refused 21610"],
  ["404 of a wrong path", answered(404, "not here"), "deferred null account"],
  ["an address that moved", answered(302, "", { location: "https://elsewhere.example" }), "deferred null account"],
  ["429 with a wish", error(429, 20429, { "retry-after": "7" }), "deferred 20429 7000"],
  ["429 without a code", answered(429, ""), "deferred null"],
  ["429 with a wish beyond reason", error(429, 20429, { "retry-after": "999999" }), "deferred 20429 3600000"],
  ["a sender's queue that is full", error(400, 21611), "deferred 21611"],
  ["500 in the carrier's own words", error(500, 20500), "deferred 20500"],
  ["503 in the carrier's own words", error(503, 20503), "deferred 20503"],
  ["502 of something between", answered(502, "<html>"), "unknown"],
  ["503 of something between", answered(503, "", { "retry-after": "1" }), "unknown"],
  ["408", answered(408, ""), "unknown"],
  ["no answer in time", failed({}), "unknown"],
  ["a connection that was lost", failed({ error_code: "connection_reset" }), "unknown"],
  ["an answer that was cut off behind its status", failed({ error_code: "truncated", head: { status: 201, headers: {} } }), "unknown"],
  ["a refusal that was cut off behind its status", failed({ error_code: "truncated", head: { status: 400, headers: {} } }), "refused null"],
  ["nobody there", failed({ error_code: "connect", sent: false }), "held"],
  ["a name that leads nowhere", failed({ error_code: "dns", sent: false }), "held"],
  ["another's certificate", failed({ error_code: "tls", sent: false }), "held"],
])("%s", (_what, exchange, expected) => {
  const answer = classifyExchange(exchange);
  const more = answer.kind === "deferred" ? [answer.isAccount ? "account" : null, answer.retryAfterMs].filter((one) => one !== null) : [];
  if (answer.kind === "unknown" && answer.isUnreadable === true) more.push("unreadable");
  const words =
    answer.kind === "refused" || answer.kind === "deferred" ? [answer.kind, answer.code, ...more].map(String) : [answer.kind, ...more];
  expect(words.join(" ")).toBe(expected);
});

test("a carrier's message is truncated, and a missing one is replaced", () => {
  expect(classifyExchange(answered(400, { message: "x".repeat(10_000) }))).toMatchObject({ message: "x".repeat(300) });
  expect(classifyExchange(answered(400, ""))).toMatchObject({ message: "The carrier returned 400." });
  const odd = answered(429, { code: 20429, message: `\u0000${"x".repeat(298)}😀` });
  expect(classifyExchange(odd)).toMatchObject({ kind: "deferred", message: `\ufffd${"x".repeat(298)}\ufffd` });
});
