import { expect, test } from "vitest";
import { readSettings } from "#app/config.ts";
import type { Runtime } from "#app/runtime/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { openTransports } from "./open-transports.ts";

const app = await testApp();

test("a worker has a route for LIVE calls if trunks or carriers are set, and none otherwise", async () => {
  const folder = temporaryFolder();
  const trunk = { SIP_TRUNKS: "sip://127.0.0.1:9?ping=0&channels=7", SIP_LISTEN: `udp://127.0.0.1:${await freePort()}` };
  const carrier = { VOICE_HTTP_URL: "http://AC1:token@127.0.0.1:9?channels=4" };
  for (const [env, names] of [
    [{}, undefined],
    [trunk, ["sip", 7]],
    [carrier, ["http", 4]],
    [{ ...trunk, ...carrier }, ["sip+http", 11]],
  ] as const) {
    const settings = readSettings({ TILLPOST_DATA_DIR: folder.path, ...env });
    const { parts, close } = await openTransports({ ...app, settings } as unknown as Runtime, undefined);
    const calls = parts.calls?.transport;
    expect(calls && [calls.name, calls.channels]).toEqual(names);
    await close();
  }
  folder.remove();
});
