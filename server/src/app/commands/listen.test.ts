import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "#app/config.ts";
import { listen } from "#test/support/app/listen.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { plainHook } from "#test/support/network/plain-hook.ts";
import { type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { fanOut } from "#webhooks/index.ts";
import { openApi } from "../developer/api-client.ts";
import { followStream } from "../developer/follow-stream.ts";

// The server is in the test's process; the long form has the program, which numbers events itself, and `--load-from-webhooks`.
const app = await testApp();
const folder = temporaryFolder();
const hook = await plainHook();
const { key } = await app.tenant();
const server = { "api-key": key, "base-url": await listen(app) };
const reached = Object.entries(server).flatMap(([option, value]) => [`--${option}`, value]);
const trigger = (event: string) => runHere({ dataDir: folder.path, command: ["trigger", event, ...reached] });
let listening: Program | null = null;

afterAll(() => {
  hook.close();
  listening?.kill("SIGKILL");
  folder.remove();
});

test("listen forwards what trigger causes to a program on this machine, signed, and only the requested events", async () => {
  const command = ["listen", "--forward-to", hook.url, "--events", "order.paid,order.failed", ...reached];
  const program = await startProgram({ dataDir: folder.path, command });
  listening = program;
  const output = () => program.output;
  await eventually(output, () => program.output.includes("Listening."));
  for (const [before, event] of ["order.paid", "order.failed"].entries()) {
    expect(await trigger(event)).toMatchObject({ code: 0 });
    while ((await fanOut(app.ctx)) > 0);
    await eventually(output, () => hook.received.length > before);
  }
  const secret = /Signed with (whsec_\S+)/.exec(program.output)?.[1] ?? "";
  for (const { headers, body } of hook.received) new Webhook(secret).verify(body, headers);
  expect(hook.received.map(({ body }) => JSON.parse(body).event)).toEqual(["order.paid", "order.failed"]);
  await eventually(output, () => / ms {2}200\n.* ms {2}200/.test(program.output));
  expect(await program.stop()).toMatchObject({ code: 0 });
});

test("events that don't exist are refused by both", async () => {
  const api = await openApi(readSettings({ TILLPOST_DATA_DIR: folder.path }), { values: server, words: [] });
  const following = { signal: AbortSignal.timeout(60_000), onOpen: () => {}, onEvent: () => {}, onLost: () => {} };
  await expect(followStream(api, { ...following, events: ["order.paid", "order.eaten"] })).rejects.toThrow(
    "The event order.eaten doesn't exist.",
  );
  expect(await trigger("order.eaten")).toMatchObject({ code: 1, output: expect.stringContaining("order.paid") });
});

test("without a demo and a key, the error names a command whose key has the permission to listen", async () => {
  const api = openApi(readSettings({ TILLPOST_DATA_DIR: folder.path }), { values: {}, words: [] });
  await expect(api).rejects.toThrow(/keys create --permissions all.*webhooks:read/);
});
