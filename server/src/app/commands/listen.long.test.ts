import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plainHook } from "#test/support/network/plain-hook.ts";
import { databaseProcesses, killNow, type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { eventually } from "#test/support/time/eventually.ts";

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
const hook = await plainHook();
let server: Program;
const trigger = (event: string) => runHere({ dataDir, command: ["trigger", event, "--base-url", server.url] });

beforeAll(async () => {
  server = await (await startProgram({ dataDir: await startedFolder(dataDir) })).ready();
});
afterAll(async () => {
  hook.close();
  await server.stop();
  databaseProcesses(dataDir).forEach(killNow);
  folder.remove();
});

test("listen forwards what trigger causes to a program on this machine, signed, and only the requested events", async () => {
  const command = ["listen", "--forward-to", hook.url, "--events", "order.paid,order.failed", "--base-url", server.url];
  const listening = await startProgram({ dataDir, command });
  const output = () => listening.output;
  await eventually(output, () => listening.output.includes("Listening."));
  for (const event of ["order.paid", "order.failed"]) {
    expect(await trigger(event)).toMatchObject({ code: 0 });
  }
  await eventually(output, () => hook.received.length >= 2);
  const secret = /Signed with (whsec_\S+)/.exec(listening.output)?.[1] ?? "";
  for (const { headers, body } of hook.received) new Webhook(secret).verify(body, headers);
  expect(hook.received.map(({ body }) => JSON.parse(body).event)).toEqual(["order.paid", "order.failed"]);
  await eventually(output, () => / ms {2}200\n.* ms {2}200/.test(listening.output));
  expect(await listening.stop()).toMatchObject({ code: 0 });
  const refused = await startProgram({
    dataDir,
    command: ["listen", "--forward-to", hook.url, "--events", "order.paid,order.eaten", "--base-url", server.url],
  });
  expect(await refused.ended, refused.output).toMatchObject({ code: 1 });
  expect(refused.output).toContain("The event order.eaten doesn't exist.");
  expect(await trigger("order.eaten")).toMatchObject({ code: 1, output: expect.stringContaining("order.paid") });
});

test("with --load-from-webhooks, listen forwards only the families that a registered endpoint subscribes to", async () => {
  const { api_key, project_id } = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as { api_key: string; project_id: string };
  const registered = await fetch(`${server.url}/api/v1/projects/${project_id}/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/hook", events: ["order.*"] }),
  });
  expect(registered.status, await registered.text()).toBe(201);
  hook.received.length = 0;
  const listening = await startProgram({
    dataDir,
    command: ["listen", "--forward-to", hook.url, "--load-from-webhooks", "--base-url", server.url],
  });
  await eventually(
    () => listening.output,
    () => listening.output.includes("Listening."),
  );
  expect(await trigger("order.paid")).toMatchObject({ code: 0 });
  // A paid order also brings payment.session.created and transaction.completed, before order.paid.
  await eventually(
    () => listening.output,
    () => hook.received.some(({ body }) => JSON.parse(body).event === "order.paid"),
  );
  expect(hook.received.map(({ body }) => String(JSON.parse(body).event).split(".")[0])).toEqual(hook.received.map(() => "order"));
  expect(await listening.stop()).toMatchObject({ code: 0 });
});
