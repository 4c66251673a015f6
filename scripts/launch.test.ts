import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

it("a release's launcher runs a command with its arguments and prints nothing itself", async () => {
  const { stdout, stderr } = await run(process.execPath, [script("launch.mjs"), "serve", "--help"]);
  expect(stdout).toContain("Starts the embedded PostgreSQL");
  expect(stderr).toBe("");
  await expect(run(process.execPath, [script("launch.mjs"), "no-such-command"])).rejects.toMatchObject({ code: 2 });
});

describe("a container's health check", () => {
  const check = (port: number) => run(process.execPath, [script("healthcheck.mjs")], { env: { PORT: "1", WORKER_PORT: String(port) } });

  it.each([
    [200, "passes"],
    [503, "fails"],
  ])("on %i %s", async (status, _outcome) => {
    const requested: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      requested.push(request.url);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const answer = check((server.address() as AddressInfo).port);
    if (status === 200) await answer;
    else await expect(answer).rejects.toMatchObject({ code: 1 });
    expect(requested).toEqual(["/healthz"]);
    server.close();
  });

  it("fails if nothing listens", () => expect(check(1)).rejects.toMatchObject({ code: 1 }));
});
