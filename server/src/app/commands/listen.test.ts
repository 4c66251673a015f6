import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "#test/eventually.ts";
import { databaseProcesses, killNow, type Program, startProgram, temporaryFolder } from "#test/program.ts";

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
const received: { headers: Record<string, string>; body: string }[] = [];
const hook = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (part: string) => (body += part));
  request.on("end", () => {
    received.push({ headers: request.headers as Record<string, string>, body });
    response.end();
  });
});
let server: Program;

beforeAll(async () => {
  hook.listen(0, "127.0.0.1");
  await once(hook, "listening");
  server = await (await startProgram({ dataDir })).ready();
});
afterAll(async () => {
  hook.close();
  await server.stop();
  databaseProcesses(dataDir).forEach(killNow);
  folder.remove();
});

test("what trigger brings about reaches a program on this machine through listen, signed, and only the events asked for", async () => {
  const to = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
  const command = ["listen", "--forward-to", to, "--events", "order.paid,order.failed", "--base-url", server.url];
  const listening = await startProgram({ dataDir, command });
  const said = () => listening.output;
  await eventually(said, () => listening.output.includes("Listening."));
  for (const event of ["order.paid", "order.failed"]) {
    const triggered = await startProgram({ dataDir, command: ["trigger", event, "--base-url", server.url] });
    expect(await triggered.ended, triggered.output).toMatchObject({ code: 0 });
  }
  await eventually(said, () => received.length >= 2);
  const secret = /Signed with (whsec_\S+)/.exec(listening.output)?.[1] ?? "";
  for (const { headers, body } of received) new Webhook(secret).verify(body, headers);
  expect(received.map(({ body }) => JSON.parse(body).event)).toEqual(["order.paid", "order.failed"]);
  await eventually(said, () => / ms {2}200\n.* ms {2}200/.test(listening.output));
  expect(await listening.stop()).toMatchObject({ code: 0 });
  const lost = await startProgram({ dataDir, command: ["trigger", "order.eaten"] });
  expect(await lost.ended).toMatchObject({ code: 1 });
  expect(lost.output).toContain("order.paid");
});
