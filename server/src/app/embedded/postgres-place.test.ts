import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { openDataFolder } from "./data-folder.ts";
import { findPlace } from "./postgres-place.ts";

test("two deep data folders whose paths end alike have separate sockets, and the same ones each time", async () => {
  const folder = temporaryFolder();
  const deep = "a folder that is too deep for a socket".repeat(2);
  const sockets: string[] = [];
  try {
    for (const name of ["one", "two", "one"]) {
      const path = join(folder.path, name, deep, "data");
      mkdirSync(path, { recursive: true });
      const dataFolder = openDataFolder(path);
      sockets.push((await findPlace(dataFolder)).socket);
      await dataFolder.release();
    }
    const [one, two, again] = sockets;
    expect(two).not.toBe(one);
    expect(again).toBe(one);
  } finally {
    for (const socket of sockets) rmSync(socket, { recursive: true, force: true });
    folder.remove();
  }
});
