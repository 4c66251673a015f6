import { readFileSync } from "node:fs";
import { createSipTransport } from "#providers/voice/sip/create-sip-transport.ts";
import { readTrunks } from "#providers/voice/sip/settings/read-trunks.ts";
import { runBareStreams } from "./bare-streams.ts";
import { calleePort, type Evenness, startStreams } from "./even-sound.ts";
import { newFolder, startProgram, until } from "./programs.ts";

const calls = 200;
const seconds = 10;
const port = 16_011;
const echoPort = 30_000;

export interface Loaded {
  completed: number;
  /** Datagrams per second in the network of this scenario, compared with those of 200 calls and their echo. */
  pace: number;
  /** Datagrams that a full socket dropped. */
  dropped: number;
  /** Processor time of all threads except the serving one, as a share of one core. */
  core: number;
  /** The same of a thread that only sends as many datagrams and receives their echo. */
  bare: number;
  /** How evenly one call's audio arrived, and that of one that sipp streamed itself. */
  ours: Evenness;
  sipps: Evenness;
}

/** What the kernel counted in this network. */
function datagrams(): { sent: number; dropped: number } {
  const [names = "", values = ""] = readFileSync("/proc/net/snmp", "latin1")
    .split("\n")
    .filter((line) => line.startsWith("Udp:"));
  const at = (name: string) => Number(values.split(" ")[names.split(" ").indexOf(name)]);
  return { sent: at("OutDatagrams"), dropped: at("RcvbufErrors") };
}

/** Works for 300 of every 500 ms, as a serving thread with large requests does. */
function keepBusy(): () => void {
  const timer = setInterval(() => {
    const state = new BigUint64Array(1);
    for (let round = 0; round < 3e7; round += 1) state[0] = (state[0] ?? 0n) ^ 1n;
  }, 500);
  return () => clearInterval(timer);
}

/** What a piece of work sent and used, while the serving thread is busy. */
async function measure<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; sent: number; dropped: number; core: number; ms: number }> {
  const rest = keepBusy();
  const [before, cpu, own, begin] = [datagrams(), process.cpuUsage(), process.threadCpuUsage(), performance.now()];
  const result = await work();
  const [after, cpuUsed, ownUsed, ms] = [datagrams(), process.cpuUsage(cpu), process.threadCpuUsage(own), performance.now() - begin];
  rest();
  const core = (cpuUsed.user + cpuUsed.system - ownUsed.user - ownUsed.system) / 1_000 / ms;
  return { result, sent: after.sent - before.sent, dropped: after.dropped - before.dropped, core, ms };
}

async function load(): Promise<Loaded> {
  startProgram(
    "/usr/bin/sipp",
    ["-i", "127.0.0.1", "-p", String(port), "-nostdin", "-sn", "uas", "-rtp_echo", "-mp", String(echoPort), "-timeout", "120"],
    newFolder(),
  );
  await until(() => readFileSync("/proc/net/udp", "latin1").includes(`:${port.toString(16).toUpperCase()} `), "sipp");
  const listened = startStreams(seconds * 50);
  const { trunks } = readTrunks(
    `sip://127.0.0.1:${port}?name=sipp&ping=0&cps=100&channels=${calls}&countries=US,sip://127.0.0.1:${calleePort}?name=listener&ping=0&countries=GB`,
  );
  const listen = [{ transport: "UDP" as const, address: "127.0.0.1", port: 16_900, tls: null }];
  const transport = createSipTransport({
    trunks,
    listen,
    publicAddress: null,
    rtpPorts: [20_000, 20_999],
    recordings: newFolder(),
    now: () => new Date(),
  });
  const dialed = dialAll(transport);
  await until(() => dialed.hangUps.length === calls + 1, "all calls");
  const { result: evenness, sent, dropped, core, ms } = await measure(listened);
  for (const hangUp of dialed.hangUps) hangUp();
  await until(() => dialed.completed === calls + 1, "the end of all calls");
  await transport.close();
  const ceiling = await measure(() => runBareStreams({ count: calls, ms: seconds * 1_000, port: echoPort }));
  // Ours and the echo of each, our call to the listener, and what sipp streams.
  const expected = ((2 * calls + 2) * 50 * ms) / 1_000;
  return { completed: dialed.completed - 1, pace: sent / expected, dropped, core, bare: ceiling.core, ...evenness };
}

/** Places all calls, and keeps how to end those that were answered and how many completed. */
function dialAll(transport: ReturnType<typeof createSipTransport>): { hangUps: (() => void)[]; completed: number } {
  const dialed = { hangUps: [] as (() => void)[], completed: 0 };
  for (let one = 0; one <= calls; one += 1) {
    const call = {
      project_id: "prj_1",
      livemode: true,
      call_id: `call_${one}`,
      from: "+15550100",
      // The last one is to the callee who listens.
      ...(one === calls ? { to: "+447700900123", country: "GB" } : { to: "+15551230000", country: "US" }),
      limitMs: 120_000,
      ringMs: 30_000,
      record: "mono" as const,
    };
    transport.dial(call, {
      carriedBy: () => undefined,
      ringing: () => undefined,
      answered: (_at, leg) => void dialed.hangUps.push(() => leg.hangUp()),
      digit: () => undefined,
      ended: ({ status }) => void (dialed.completed += status === "completed" ? 1 : 0),
    });
  }
  return dialed;
}

export const loadScenarios = { "sipp carries 200 calls": load };
