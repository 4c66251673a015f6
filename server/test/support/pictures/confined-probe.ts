// Runs under the launch options of the picture process and tries what a compromised decoder would try. Reports each outcome.
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

interface Targets {
  port: number;
  folder: string;
  /** Other users' files, each under a name. */
  files: Record<string, string>;
}

process.on("message", async (targets: Targets) => {
  const results: Record<string, string> = {};
  for (const [name, attempt] of Object.entries(attemptsOf(targets))) results[name] = await outcome(attempt);
  process.send?.({ results });
});
process.on("disconnect", () => process.exit(0));

type Attempt = () => unknown;

function attemptsOf({ port, folder, files }: Targets): Record<string, Attempt> {
  const reads = Object.entries(files).map(([name, path]): [string, Attempt] => [`read ${name}`, () => readFileSync(path)]);
  return {
    ...Object.fromEntries(reads),
    "list /": () => readdirSync("/"),
    "write elsewhere": () => writeFileSync(join(folder, "../escaped"), "x"),
    "write over its own program": () => writeFileSync(import.meta.filename, "x"),
    "connect to a socket": () => connected(port),
    "ask the network for a page": () => fetch(`http://127.0.0.1:${port}/`),
    "send a datagram": () => sent(port),
    "listen on a socket": () => listening(),
    "look up a name": () => lookup("localhost"),
    "start a program": () => execFileSync("/bin/sh", ["-c", ":"]),
    "start a thread": () => started(),
    "open the inspector": async () => (await import("node:inspector")).open(0),
    "write and read in its folder": () => {
      writeFileSync(join(folder, "own"), "x");
      readFileSync(join(folder, "own"));
    },
  };
}

async function outcome(attempt: Attempt): Promise<string> {
  try {
    await attempt();
    return "allowed";
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    return cause?.code ?? code ?? String(error);
  }
}

function connected(port: number): Promise<void> {
  return new Promise((resolve, reject) => connect(port, "127.0.0.1", resolve).on("error", reject));
}

function sent(port: number): Promise<void> {
  return new Promise((resolve, reject) =>
    createSocket("udp4")
      .on("error", reject)
      .send("x", port, "127.0.0.1", (error) => (error === null ? resolve() : reject(error))),
  );
}

/** Some refusals are thrown later, where they can't be caught. */
function listening(): Promise<void> {
  return new Promise((resolve, reject) => {
    process.once("uncaughtException", reject);
    createServer().on("error", reject).listen(0, "127.0.0.1", resolve);
  });
}

function started(): Promise<void> {
  return new Promise((resolve, reject) => new Worker("", { eval: true }).on("error", reject).on("online", resolve));
}
