import { connect } from "node:net";
import type { Settings } from "../config.ts";
import { readRunning } from "../embedded/index.ts";
import { howToStart } from "../installed/how-to-run.ts";
import type { Finding } from "./checks.ts";

const limitMs = 3_000;

/** Checks whether Tillpost responds: where the program that locks the data folder says it listens, otherwise on the configured port. */
export async function checkPort(settings: Pick<Settings, "HOST" | "PORT" | "TILLPOST_DATA_DIR">): Promise<Finding> {
  const host = settings.HOST === "0.0.0.0" || settings.HOST === "::" ? "localhost" : settings.HOST;
  const announced = readRunning(settings.TILLPOST_DATA_DIR)?.port;
  for (const port of [announced, settings.PORT]) {
    if (port !== undefined && (await isTillpost(host, port)))
      return { check: "server", state: "fine", message: `Tillpost responds on port ${port}` };
  }
  // Another program on our port is a fault that only shows at the next start.
  if (await isTaken(host, settings.PORT))
    return {
      check: "server",
      state: "fault",
      message: `another program uses port ${settings.PORT}`,
      fix: `Stop it, or set PORT=${settings.PORT + 1}.`,
    };
  return {
    check: "server",
    state: "note",
    message: `nothing is listening on port ${settings.PORT}`,
    fix: `Start it with \`${howToStart()}\`.`,
  };
}

async function isTillpost(host: string, port: number): Promise<boolean> {
  const answer = fetch(`http://${host}:${port}/healthz`, { signal: AbortSignal.timeout(limitMs) });
  return answer.then(
    ({ headers }) => headers.has("request-id"),
    () => false,
  );
}

async function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: limitMs });
    const end = (taken: boolean) => {
      socket.destroy();
      resolve(taken);
    };
    socket
      .once("connect", () => end(true))
      .once("error", () => end(false))
      .once("timeout", () => end(false));
  });
}
