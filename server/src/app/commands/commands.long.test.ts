import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { CommandLine } from "#test/support/programs/command-line.ts";

// Commands as processes, some of which the short tests run within their own.
const line = new CommandLine();

beforeAll(() => line.begin());
afterAll(() => line.end());

it("tillpost exits with its command's exit code and prints the same as that command", async () => {
  for (const command of [["keys", "list"], ["frobnicate"]]) expect(await line.start(command)).toEqual(await line.run(command));
});

it("serve reports an unreachable database in one sentence", async () => {
  const env = {
    TILLPOST_DATA_DIR: join(line.folder.path, "unreached"),
    DATABASE_URL: "postgres://nobody:hunter2@127.0.0.1:1/none",
    MASTER_KEYS: `1:${"ab".repeat(32)}`,
  };
  const { code, output } = await line.start(["serve"], env);
  expect(code).toBe(1);
  expect(output).toMatch(/^The database refused the connection: .*ECONNREFUSED.*\n$/);
  expect(output).not.toContain("hunter2");
});

describe("api and worker on your own database", () => {
  it("worker refuses the embedded database, which belongs to one process", async () => {
    expect(await line.start(["worker"])).toEqual({ code: 1, output: expect.stringContaining("needs DATABASE_URL") });
  });

  it("api requires `migrate` if the database lacks migrations", async () => {
    const { serverUrl } = inject("postgres");
    const { code, output } = await line.start(["api"], testEnvironment(serverUrl));
    expect(code).toBe(1);
    expect(output).toContain("tillpost -- migrate");
  });
});
