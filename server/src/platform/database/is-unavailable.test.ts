import { expect, test } from "vitest";
import { platformErrors } from "../errors.ts";
import { isTlsFault, isUnavailable } from "./database.ts";
import { withCode } from "./driver/faults.ts";

const failed = (code: string) => Object.assign(new Error("it failed"), { code });

test.each([
  ["connections that fail", "08000 08001 08003 08004 08006 08P01"],
  ["a server that stops, crashed or starts", "57P01 57P02 57P03"],
  ["a session that the server ended", "57P05 25P03 25P04"],
  ["a server without connections, memory or disk space left", "53000 53100 53200 53300"],
  ["a disk that fails", "58000 58030 58P01"],
  ["a standby", "25006"],
  ["a host that can't be found", "ENOTFOUND EAI_AGAIN"],
  ["a host that can't be reached", "EHOSTUNREACH ENETUNREACH ETIMEDOUT"],
  ["a server that doesn't listen", "ECONNREFUSED ENOENT"],
  ["a connection that was cut", "ECONNRESET ECONNABORTED EPIPE"],
  [
    "what the driver only says in words",
    "CONNECT_TIMEOUT CONNECTION_TIMEOUT CONNECTION_ENDED CONNECTION_CLOSED CONNECTION_UNREACHABLE CONNECTION_WAIT_LIMIT",
  ],
])("%s: the database is unavailable", (_what, codes) => {
  for (const code of codes.split(" ")) expect([code, isUnavailable(failed(code)), isTlsFault(failed(code))]).toEqual([code, true, false]);
});

test.each([
  "TLS_NOT_OFFERED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "EPROTO",
  "CERT_HAS_EXPIRED",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
])("a connection that TLS prevents (%s): the database is unavailable", (code) => {
  expect([isUnavailable(failed(code)), isTlsFault(failed(code))]).toEqual([true, true]);
});

test.each([
  "The server does not support SSL connections",
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "Cannot use a pool after calling end on the pool",
  "Connection terminated unexpectedly",
])("the driver's error without a code, %j: the database is unavailable", (message) => {
  expect(isUnavailable(withCode(new Error(message)))).toBe(true);
});

test.each([
  ["rows that another transaction has or changed", "23505 23503 40001 40P01 55P03"],
  ["statements that are wrong or take too long", "22P02 25001 25P02 42P01 42501 57014"],
  ["a connection that the server refuses for good", "28P01 28000 3D000"],
  ["files and programs", "EACCES ENOSPC ERR_INVALID_ARG_TYPE"],
])("%s: the database is available", (_what, codes) => {
  for (const code of codes.split(" ")) expect([code, isUnavailable(failed(code))]).toEqual([code, false]);
});

test("errors without a database's code say nothing about it", () => {
  for (const error of [new Error("ECONNREFUSED"), "ECONNREFUSED", null, undefined, { code: 503 }, platformErrors.service_unavailable()])
    expect(isUnavailable(error)).toBe(false);
});
