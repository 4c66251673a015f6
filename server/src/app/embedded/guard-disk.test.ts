import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clearReadOnly } from "./guard-disk.ts";

it("a program that is killed during that time leaves a database that accepts writes at its next start", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-guard-"));
  const file = join(folder, "postgresql.auto.conf");
  await writeFile(file, "# by hand\ndefault_transaction_read_only = 'on'\nwork_mem = '8MB'\n");
  await clearReadOnly(folder);
  expect(await readFile(file, "utf8")).toBe("# by hand\nwork_mem = '8MB'\n");
  await rm(folder, { recursive: true });
});
