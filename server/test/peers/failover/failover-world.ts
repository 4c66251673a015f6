import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { loadedEnvironment, mailingEnvironment } from "#test/support/app/test-environment.ts";
import { type MailPeer, mailPeer } from "#test/support/mail/mail-peer.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { type Receiver, startReceiver } from "#test/support/network/receiver.ts";
import { type ApiProcess, startApi } from "#test/support/programs/api-processes.ts";
import { type Program, startProgram } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";

/** A shop served by several processes, with a receiver for its webhooks and a mail server. */
export interface FailoverWorld {
  shop: TestTenant;
  live: TestTenant;
  apis: ApiProcess[];
  ports: number[];
  worker: Program;
  /** Runs another command of the program, in the worker's folder. */
  run(...command: string[]): Promise<{ code: number | null; output: string }>;
  peer: MailPeer;
  endpoint: string;
  /** By order and event name: the ids that reported it. */
  idsOf: Map<string, Set<string>>;
  close(): Promise<void>;
}

const apiCount = 2;

export async function failoverWorld(app: TestApp): Promise<FailoverWorld> {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-failover-"));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "ca.pem"), (await certificate()).cert);
  const [shop, live] = [await app.tenant(), await app.tenant({ livemode: true })];
  const peer = await mailPeer();
  const idsOf: FailoverWorld["idsOf"] = new Map();
  const receiver = await startReceiverOf(idsOf);
  const { id: endpoint } = await endpointAt(app.ctx, shop, receiver.url, ["order.created", "order.paid"]);
  const env = {
    ...loadedEnvironment(app.url, folder),
    ...mailingEnvironment(peer.port),
    LIMITS_STORE: "postgres",
    LIMITS_NODES: String(apiCount),
    LOG_LEVEL: "fatal",
  };
  const apis = await Promise.all(Array.from({ length: apiCount }, () => startApi(app.url, env)));
  const dataDir = join(folder, "worker");
  const worker = await startWorker(dataDir, env);
  return {
    ...{ shop, live, apis, peer, endpoint, idsOf, worker },
    ports: apis.map(({ url }) => Number(new URL(url).port)),
    async run(...command) {
      const program = await startProgram({ dataDir, env, command });
      const { code } = await program.ended;
      return { code, output: program.output };
    },
    async close() {
      worker.kill("SIGKILL");
      await Promise.all([worker.ended, ...apis.map((api) => api.stop())]);
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startReceiverOf(idsOf: FailoverWorld["idsOf"]): Promise<Receiver> {
  return startReceiver(
    ({ headers, body }, response) => {
      const { event, data } = JSON.parse(body.toString()) as { event: string; data: { order: { id: string } } };
      const key = `${event} of ${data.order.id}`;
      idsOf.set(key, (idsOf.get(key) ?? new Set()).add(headers["webhook-id"] ?? ""));
      response.end("ok");
    },
    { keep: false },
  );
}

async function startWorker(dataDir: string, env: Record<string, string>): Promise<Program> {
  const port = await freePort();
  const worker = await startProgram({ dataDir, env: { ...env, WORKER_PORT: String(port) }, command: ["worker"] });
  const isReady = () => {
    return fetch(`http://localhost:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await eventually(() => `the worker is ready:\n${worker.output}`, isReady, { everyMs: 50 });
  return worker;
}
