import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createPerson, findPerson } from "#identity/index.ts";
import { findProject } from "#projects/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { pageHeaders, withHeaders } from "#test/support/people/visitors.ts";
import { readSettings } from "../config.ts";
import type { Runtime } from "../runtime/index.ts";
import { closeDemo } from "./close-demo.ts";
import type { Demo } from "./demo-file.ts";
import { prepareDemo } from "./prepare-demo.ts";
import { welcome } from "./welcome.ts";

const app = await testApp();
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true, force: true }))));

async function firstStart(publicUrl: string): Promise<{ found: Awaited<ReturnType<typeof prepareDemo>>; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-demo-"));
  folders.push(folder);
  const settings = readSettings({ TILLPOST_DATA_DIR: folder, PUBLIC_URL: publicUrl });
  const given = { settings, isFirstStart: true, ctx: { ...app.ctx, publicUrl } } as unknown as Runtime;
  return { found: await prepareDemo(given, true, "light"), folder };
}

describe("a first start", () => {
  test.each(["https://pay.example.com", "http://192.168.1.20:8080", "http://tillpost.lan", "http://localhost.example.com"])(
    "creates no demo account, key or code if others reach the server: %s",
    async (publicUrl) => {
      const before = await runStatement(
        app.ctx.db,
        "select id from merchants union all select id from people union all select id from api_keys",
      );
      const { found, folder } = await firstStart(publicUrl);
      expect(found).toBeNull();
      expect(existsSync(join(folder, "demo.json"))).toBe(false);
      expect(
        await runStatement(app.ctx.db, "select id from merchants union all select id from people union all select id from api_keys"),
      ).toEqual(before);
    },
  );

  test("creates one only on this machine, whose person is operator only while no one else is", async () => {
    const { found, folder } = await firstStart("http://127.0.0.1:8080");
    const email = found?.demo.email ?? "";
    expect(statSync(join(folder, "demo.json")).mode & 0o777).toBe(0o600);
    expect(await findPerson(app.ctx.db, { email })).toMatchObject({ is_operator: true });
    await createPerson(app.ctx, { email: "second@example.com", name: "Second", password: "correct horse battery", passwordWork: "light" });
    expect(await findPerson(app.ctx.db, { email })).toMatchObject({ is_operator: false });
    const { found: later } = await firstStart("http://localhost:8080");
    expect(await findPerson(app.ctx.db, { email: later?.demo.email ?? "" })).toMatchObject({ is_operator: false });
  });
});

describe("a demo's data folder that is later served to others", () => {
  test("loses the account and the key, retains the business, and says how to create an account", async () => {
    const local = await firstStart("http://localhost:8080");
    const demo = local.found?.demo as Demo;
    const settings = readSettings({ TILLPOST_DATA_DIR: local.folder, PUBLIC_URL: "https://pay.example.com" });
    const attempt = { email: demo.email, password: demo.password };
    const signIn = async () => (await withHeaders(app, pageHeaders()).post("/api/auth/sign-in/email", attempt)).status;
    const orders = async () => (await app.api(demo.api_key).get(`/api/v1/projects/${demo.project_id}/orders`)).status;
    expect(await closeDemo({ ctx: app.ctx, settings })).toBeNull();
    expect([await signIn(), await orders()]).toEqual([200, 200]);
    const closed = await closeDemo({ ctx: { ...app.ctx, publicUrl: "https://pay.example.com" }, settings });
    const { merchant_id = "" } = (await findProject(app.ctx.db, demo.project_id)) ?? {};
    app.clock.advance(11_000);
    expect([await signIn(), await orders()]).toEqual([401, 401]);
    expect(existsSync(join(local.folder, "demo.json"))).toBe(false);
    const screen = welcome(settings, { demo: null, closed, isEmpty: true, isTerminal: false });
    expect(screen).toContain(`admin create --email you@example.com --merchant ${merchant_id}`);
    expect(await closeDemo({ ctx: { ...app.ctx, publicUrl: "https://pay.example.com" }, settings })).toBeNull();
  });
});

describe("the screen after a start", () => {
  const demo: Demo = {
    base_url: "http://localhost:8080",
    project_id: "prj_1",
    api_key: "svc_test_secretKey",
    email: "demo@x.example",
    password: "secretPassword",
  };
  const settings = readSettings({ TILLPOST_DATA_DIR: "/data" });
  const shown = (isTerminal: boolean) => welcome(settings, { demo: { demo, isNew: true }, isEmpty: false, isTerminal });

  test("shows a newcomer's key and password on a terminal, ready to paste", () => {
    for (const text of ['"Authorization: Bearer svc_test_secretKey"', "secretPassword", "demo@x.example"])
      expect(shown(true)).toContain(text);
  });

  test("shows no secret anywhere else, and says where to find them", () => {
    expect(shown(false)).not.toMatch(/svc_test_secretKey|secretPassword/);
    expect(shown(false)).toContain("/data/demo.json");
  });

  test("says how to create the first account if there isn't one", () => {
    expect(welcome(settings, { demo: null, isEmpty: true, isTerminal: false })).toContain("npm run tillpost -- admin create --email");
    expect(welcome(settings, { demo: null, isEmpty: false, isTerminal: false })).not.toContain("admin create");
  });
});
