import { readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { CommandLine, failed } from "#test/support/programs/command-line.ts";

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

describe("mail, while no email leaves", () => {
  it("shows the link of a password reset that was requested on a first start, and the log doesn't", async () => {
    expect(await line.run(["mail"])).toMatchObject({ code: 0, output: expect.stringContaining("None has been written yet.") });
    const { email } = JSON.parse(readFileSync(join(line.dataDir, "demo.json"), "utf8")) as { email: string };
    const response = await fetch(`${line.server.url}/api/auth/request-password-reset`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: line.server.url, "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ email }),
    });
    expect(response.status).toBe(200);
    await expect.poll(() => line.server.output).toContain("is kept as a file");
    const shown = await line.run(["mail", "show"]);
    expect(shown.output).toContain(`To: ${email}`);
    // Without a terminal the printed link has no token; the file has it.
    expect(shown.output).toContain(`${line.server.url}/dashboard/reset-password?token=…`);
    const [file = ""] = /^\/.+\.eml$/m.exec(shown.output) ?? [];
    const { text = "" } = await PostalMime.parse(readFileSync(file));
    const [link = ""] = new RegExp(`^${line.server.url}/dashboard/reset-password\\?token=\\S+$`, "m").exec(text.replaceAll("\r", "")) ?? [];
    expect(link).not.toBe("");
    expect((await line.run(["mail", "list"])).output).toContain(`${email}  Choose a new password`);
    expect(line.server.output).not.toContain(new URL(link).searchParams.get("token"));
  });

  it("refuses an unknown email in one sentence", async () => {
    expect((await line.run(["mail", "show", "em_none"])).output).toContain("There is no email em_none.");
  });
});

describe("admin recover, while a server runs", () => {
  it("restores access for a person who lost their second step, with a new password on request", async () => {
    const demo = line.server.demo() as { email?: string };
    const file = join(line.folder.path, "new-password");
    const recovered = await line.run(["admin", "recover", "--email", demo.email ?? "", "--new-password", "--secret-file", file]);
    expect(recovered).toMatchObject({ code: 0, output: expect.stringContaining("can sign in with just the password") });
    expect(await line.signIn(demo.email ?? "", readFileSync(file, "utf8").trim())).not.toBe("");
    expect(await line.run(["admin", "recover", "--email", "nobody@example.com"])).toMatchObject(failed("no account"));
  });
});
