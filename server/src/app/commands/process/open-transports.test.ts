import { expect, test } from "vitest";
import { readSettings } from "#app/config.ts";
import type { House } from "#app/house/index.ts";
import { freePort } from "#test/free-port.ts";
import { house } from "#test/house.ts";
import { temporaryFolder } from "#test/program.ts";
import { openTransports } from "./open-transports.ts";

const home = await house();

test("a process that works has a way out for LIVE calls where trunks are set, and none where none is", async () => {
  const folder = temporaryFolder();
  for (const [env, names] of [
    [{}, undefined],
    [{ SIP_TRUNKS: "sip://127.0.0.1:9?ping=0&channels=7", SIP_LISTEN: `udp://127.0.0.1:${await freePort()}` }, ["sip", 7]],
  ] as const) {
    const settings = readSettings({ TILLPOST_DATA_DIR: folder.path, ...env });
    const { parts, close } = await openTransports({ ...home, settings } as unknown as House, undefined);
    const calls = parts.calls?.transport;
    expect(calls && [calls.name, calls.channels]).toEqual(names);
    await close();
  }
  folder.remove();
});
