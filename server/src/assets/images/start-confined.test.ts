import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startConfined } from "./start-confined.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-confined-"));
const others = mkdtempSync(join(tmpdir(), "tillpost-others-"));
const listener = createServer((socket) => socket.destroy());
const probe = fileURLToPath(new URL("../../../test/support/pictures/confined-probe.ts", import.meta.url));
const root = fileURLToPath(new URL("../../../../", import.meta.url));

let results: Record<string, string> = {};
const kernel: Record<string, string> = {};

beforeAll(async () => {
  writeFileSync(join(others, "statement.csv"), "another merchant's");
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const { port } = listener.address() as { port: number };
  const child = startConfined(probe, folder);
  const ended = once(child, "exit");
  const files = {
    "/etc/passwd": "/etc/passwd",
    "another upload": join(others, "statement.csv"),
    "the server's settings": `/proc/${process.pid}/environ`,
    "its own secrets by /proc": "/proc/self/environ",
    "the sources of other rooms": join(root, "server/src/app/config.ts"),
    "the project's package.json": join(root, "package.json"),
  };
  const answer = once(child, "message");
  child.send({ port, folder, files });
  ({ results } = (
    (await Promise.race([answer, ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}`)))])) as [
      { results: typeof results },
    ]
  )[0]);
  for (const name of ["limits", "status", "environ"]) kernel[name] = readFileSync(`/proc/${child.pid}/${name}`, "utf8");
  kernel["net"] = readlinkSync(`/proc/${child.pid}/ns/net`);
  if (child.connected) child.disconnect();
  await ended;
});

afterAll(() => {
  listener.close();
  for (const path of [folder, others]) rmSync(path, { recursive: true, force: true });
});

test("a program with the picture process's privileges can only work in its own folder", () => {
  const { "write and read in its folder": own, ...rest } = results;
  expect(own).toBe("allowed");
  expect(Object.keys(rest)).toHaveLength(17);
  expect(Object.entries(rest).filter(([, result]) => result !== "ERR_ACCESS_DENIED")).toEqual([]);
});

test("nothing of the server's environment reaches it", () => {
  const names = (kernel["environ"] ?? "").split("\0").map((entry) => entry.replace(/=.*/s, ""));
  expect(names.filter((name) => !/^(MALLOC_\w+|UV_THREADPOOL_SIZE|NODE_CHANNEL_\w+|PWD|)$/.test(name))).toEqual([]);
});

test("the kernel limits its processor time, memory, files and core dumps", () => {
  const limitOf = (name: string) => Number(new RegExp(`^${name}\\s+(\\d+)`, "m").exec(kernel["limits"] ?? "")?.[1]);
  expect(limitOf("Max cpu time")).toBeLessThanOrEqual(900);
  expect(limitOf("Max data size")).toBeLessThanOrEqual(1024 ** 3);
  expect(limitOf("Max file size")).toBeLessThanOrEqual(64 * 1024 ** 2);
  expect(limitOf("Max open files")).toBeLessThanOrEqual(64);
  expect(limitOf("Max core file size")).toBe(0);
});

const args = ["--user", "--map-current-user", "--net", "--ipc", "--uts", "/usr/bin/setpriv", "--no-new-privs", "/bin/true"];
const tried = spawnSync("/usr/bin/unshare", args, { encoding: "utf8" });
const why = tried.status === 0 ? null : (tried.error?.message ?? tried.stderr).trim() || `unshare ended with ${tried.status}`;
const title = "it has no capabilities, no new privileges and a network of its own";

test(why === null ? title : `${title} (not tried on this machine: ${why})`, () => {
  if (why !== null) return expect(why).not.toBe("");
  expect(kernel["net"]).not.toBe(readlinkSync("/proc/self/ns/net"));
  expect(kernel["status"]).toMatch(/^NoNewPrivs:\s+1$/m);
  expect(kernel["status"]).toMatch(/^CapEff:\s+0+$/m);
});
