import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("start.mjs", import.meta.url));

it.each([
  [["serve", "--help"], 0],
  [["frobnicate"], 2],
])("passes %j to the server's program and exits as it does, with %i", async (args, code) => {
  const ended = await new Promise<{ code: unknown; text: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], { env: { TILLPOST_NO_INSTALL: "1" } }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, text: stdout + stderr }),
    );
  });
  expect(ended.text).toMatch(/tillpost -- <command>|tillpost serve: /);
  expect(ended.code).toBe(code);
});
