import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { readManifest } from "#app/backup/archive/manifest.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import type { Order, walWorld } from "./wal-world.ts";

type World = Pick<Awaited<ReturnType<typeof walWorld>>, "open" | "restore" | "takeKeys">;

/** What an installation did while its write-ahead log was shipped: an order, a backup and another order. */
export interface Lived {
  backup: string;
  orders: [Order, Order];
}

/** Installations of a test, and databases restored from their backups and write-ahead log. */
export function historiesOf({ open, restore, takeKeys }: World) {
  return {
    /** Runs on a data folder while its write-ahead log is shipped, with an order before and after a backup. */
    async live(dataDir: string): Promise<Lived> {
      const installation = await open(dataDir, { BACKUP_WAL: "on" });
      const before = await installation.order();
      const backup = await installation.backUp();
      const after = await installation.order();
      await installation.close();
      return { backup, orders: [before, after] };
    },

    /** Restores a backup to the end of its write-ahead log. Returns the orders there. */
    async ordersAtEnd(backup: string, into: string): Promise<string[]> {
      const restored = await restore(backup, into, "--at", "latest");
      expect(restored).toMatchObject({ code: 0, output: expect.stringContaining("Restored into") });
      return await ordersIn(takeKeys(into));
    },
  };
}

export const idsOf = (...lived: Lived[]) => lived.flatMap(({ orders }) => orders.map(({ id }) => id));

export const contentOf = (paths: string[]) => Object.fromEntries(paths.map((path) => [path, readFileSync(path, "base64")]));

/** The folder's name of the write-ahead log that follows a backup. */
export async function folderOf(backup: string): Promise<string> {
  const { system_id, history } = (await readManifest(backup)).postgres;
  return history === undefined ? system_id : `${system_id}-${history}`;
}
