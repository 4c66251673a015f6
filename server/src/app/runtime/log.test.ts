import { describe, expect, it } from "vitest";
import { makeLog, maskSecrets } from "./log.ts";

const link = `pl_test_${"a1B2".repeat(8)}`;
const key = `svc_live_${"Zz9x".repeat(9)}`;

describe("maskSecrets", () => {
  it.each([
    ["a link's token in a path", `"path":"/pay/${link}?lang=zh"`, '"path":"/pay/pl_test_…a1B2?lang=zh"'],
    ["a key in a sentence", `no such key ${key}.`, "no such key svc_live_…Zz9x."],
    [
      "an Authorization header",
      '"headers":{"authorization":"Bearer abc","accept":"*/*"}',
      '"headers":{"authorization":"[hidden]","accept":"*/*"}',
    ],
    ["X-API-Key in any case", '"X-Api-Key":"abc"', '"X-Api-Key":"[hidden]"'],
    ["a secret with quotes in it", '"secret":"a\\"b","next":"kept"', '"secret":"[hidden]","next":"kept"'],
    ["a webhook secret", "signed with whsec_QUJDREVGR0g=", "signed with whsec_…"],
    ["a database's password", "connect postgres://tillpost:hunter2@db:5432/x failed", "connect postgres://tillpost:…@db:5432/x failed"],
    ["a card number", "reference 4242 4242 4242 4242", "reference [card …4242]"],
  ])("hides %s", (_what, line, masked) => {
    expect(maskSecrets(line)).toBe(masked);
  });

  it.each([
    '"order":"ord_01m7wmxjqfedkahtpyqvqb0tvy"',
    '"time":"2026-11-20T14:14:12.315Z"',
    '"url":"http://localhost:8080/a@b"',
    '"reference":"INV-1001"',
  ])("doesn't change %s", (line) => {
    expect(maskSecrets(line)).toBe(line);
  });
});

describe("makeLog", () => {
  it("masks secrets in messages, fields and errors, in both forms", () => {
    for (const pretty of [false, true]) {
      const lines: string[] = [];
      const log = makeLog({ level: "info", pretty, write: (line) => void lines.push(line) });
      log.info({ path: `/pay/${link}`, authorization: `Bearer ${key}` }, `link ${link}`);
      log.error({ err: new Error(`bad key ${key}`) }, "failed");
      log.debug("not shown");
      expect(lines).toHaveLength(2);
      expect(lines.join("")).not.toMatch(new RegExp(`${link}|${key}`));
      expect(lines.join("")).toContain("pl_test_…a1B2");
    }
  });

  it("writes one line of JSON with time, level and message", () => {
    const lines: string[] = [];
    makeLog({ level: "info", pretty: false, write: (line) => void lines.push(line) }).info({ request_id: "req_1" }, "answered");
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      request_id: "req_1",
      msg: "answered",
    });
  });
});
