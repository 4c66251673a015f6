import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { answerOf } from "./answer-of.ts";
import type { Sending } from "./poison-sender.ts";
import type { Probed } from "./probe.ts";
import { serverFlags } from "./run-served.ts";

interface Given {
  url: string;
  idleUrl: string;
  project_id: string;
  authorization: string;
  quick: boolean;
}

const aim = 3;
/** About as long as sending them all takes on a quiet machine, so that both maxima come from a similar number of responses. */
const idleMs = 60_000;

/**
 * Compares the longest response time of /healthz while a TEST key sends every message known to break mail parsers, alongside usual work,
 * with that of an idle server on the same machine at the same time. The idle server has its own database (`idleUrl`), so both include what
 * the machine does. Also reports the busy server's longest time before, while it was idle. Each server accepts and sends in one process, as
 * `npm start` does.
 */
export async function measurePoison(given: Given): Promise<string> {
  const server = await startServer(given.url);
  const idleServer = await startServer(given.idleUrl);
  try {
    const { project_id, authorization, quick } = given;
    const sent = (what: Sending["what"]) => send({ port: server.port, project_id, authorization, quick, what });
    // Loads everything that the first request and the first email load.
    await sent("usual");
    await sleep(3_000);
    const before = await probe(server.port, () => sleep(quick ? 3_000 : idleMs));
    let answers = "";
    let alongside = before;
    const loaded = await probe(server.port, async () => {
      alongside = await probe(idleServer.port, async () => {
        answers = await sent("poison");
      });
    });
    return lineOf({ before, loaded, alongside, answers });
  } finally {
    await server.stop();
    await idleServer.stop();
  }
}

async function startServer(url: string): Promise<{ port: number; stop(): Promise<void> }> {
  const server = fork(new URL("poisoned.ts", import.meta.url), { execArgv: serverFlags });
  const ended = once(server, "exit");
  server.send({ url });
  const { port } = await answerOf<{ port: number }>(server);
  const stop = async () => {
    if (server.connected) server.disconnect();
    await ended;
  };
  return { port, stop };
}

/** Senders are on other machines in truth: here, where they share its processors with the server, they take what it leaves. */
async function send(sending: Sending): Promise<string> {
  const nice =
    process.platform === "win32"
      ? {}
      : { execPath: "nice", execArgv: ["-n", "19", process.execPath, "--disable-warning=ExperimentalWarning"] };
  const sender = fork(new URL("poison-sender.ts", import.meta.url), nice);
  sender.send(sending);
  const { answers } = await answerOf<{ answers: string }>(sender);
  return answers;
}

async function probe(port: number, work: () => Promise<unknown>): Promise<Probed> {
  const prober = fork(new URL("probe.ts", import.meta.url));
  prober.send({ port });
  await answerOf(prober);
  await work();
  prober.send("stop");
  return answerOf<Probed>(prober);
}

function lineOf({ before, loaded, alongside, answers }: { before: Probed; loaded: Probed; alongside: Probed; answers: string }): string {
  const ratio = loaded.worstMs / alongside.worstMs;
  const of = ({ worstMs, p99Ms, p50Ms, requests, latestMs }: Probed) =>
    `worst ${worstMs} ms, p99 ${p99Ms}, p50 ${p50Ms} of ${requests} (the prober itself at most ${latestMs} late)`;
  return [
    `/healthz during hostile email (${answers}): ${of(loaded)}`,
    `of an idle server at the same time: ${of(alongside)}; ratio of the worst ${ratio.toFixed(2)} (≤ ${aim} ${ratio <= aim ? "met" : "missed"})`,
    `of the same server before: ${of(before)}; ratio of the worst ${(loaded.worstMs / before.worstMs).toFixed(2)}.`,
  ].join("; ");
}
