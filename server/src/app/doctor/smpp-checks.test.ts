import { expect, test } from "vitest";
import { readSettings } from "../config.ts";
import { checkBinds } from "./smpp-checks.ts";

const SMPP_BINDS = "smpp://acme:s3cr3t@smsc.example?name=main,smpps://acme:s3cr3t@other.example?name=spare";

test.each([
  ["bound", { state: "bound" as const }, "fine", "accepts our connection"],
  ["held by the running server", { state: "already_bound" as const }, "fine", "already in use"],
  [
    "refused",
    { state: "refused" as const, reason: "it doesn't accept the password" },
    "fault",
    "doesn't accept our connection: it doesn't accept the password",
  ],
])("each bind is tried: %s", async (_what, tried, state, message) => {
  const findings = await checkBinds(readSettings({ SMPP_BINDS }), async () => tried);
  expect(findings).toMatchObject([
    { state, message: expect.stringContaining("main (smsc.example, port 2775)") },
    { state, message: expect.stringContaining(message) },
  ]);
  expect(JSON.stringify(findings)).not.toContain("s3cr3t");
});

test("without binds nothing is tried", async () => {
  expect(await checkBinds(readSettings({}), () => Promise.reject(new Error("tried")))).toEqual([]);
});

test("all faults of the setting are reported at the start, without the password", () => {
  const read = () => readSettings({ SMPP_BINDS: "smpp://acme:s3cr3t@host?window=0&tps=0,smpp://acme:s3cr3t/x@host" });
  expect(read).toThrow(
    /SMPP_BINDS can't be used: bind 1 needs a window from 1 to 1000; bind 1 needs a tps from 1 to 10000; bind 2 can't be read/,
  );
  expect(read).not.toThrow(/s3cr3t/);
});
