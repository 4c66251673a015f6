import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { notice } from "#platform/index.ts";
import { mailingEnvironment } from "#test/support/app/test-environment.ts";
import { leaveCutOff, makeTarget } from "#test/support/backups/restore-targets.ts";
import { mailPeer } from "#test/support/mail/mail-peer.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { killAll, type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openForCommands, ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";
import type { Runtime } from "../runtime/index.ts";
import { openBackupFolder } from "./archive/backup-folder.ts";
import { readIdentity } from "./archive/encrypt.ts";
import { makeIdentity } from "./archive/make-identity.ts";
import { readManifest, sumsOf } from "./archive/manifest.ts";
import { restoreBackup } from "./restore-backup.ts";
import { readBackupState } from "./state/backup-state.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const dataDir = at("data");
const keyFile = at("backup-key");
const started: Program[] = [];
const picture = randomBytes(3_000_000);
const shop = await receiver();
let secret: string;
/** The installation that is backed up. Nothing is sent from it: what is queued is for the restored one to send. */
let runtime: Runtime;
let demo: { project_id: string; api_key: string; email: string };
let env: Record<string, string>;
let backup: string;
let order: string;

async function start(given: Parameters<typeof startProgram>[0]): Promise<Program> {
  const program = await startProgram(given);
  started.push(program);
  return program;
}

const run = (command: string[], given: { dataDir?: string; env?: Record<string, string> } = {}) =>
  runHere({ dataDir: given.dataDir ?? dataDir, command, env: { ...env, ...given.env } });

function call(program: Program, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${demo.api_key}`, "content-type": "application/json" };
  return fetch(
    `${program.url}/api/v1/projects/${demo.project_id}/${path}`,
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
  );
}

async function pay(program: Program, id: string): Promise<void> {
  expect((await call(program, `orders/${id}/simulate-payment`, { outcome: "paid" })).status).toBe(200);
}

/** Queues an email. */
async function askForReset(program: Program): Promise<void> {
  const headers = { "content-type": "application/json", origin: runtime.settings.PUBLIC_URL };
  const reset = { method: "POST", headers, body: JSON.stringify({ email: demo.email }) };
  expect((await fetch(`${program.url}/api/auth/request-password-reset`, reset)).ok).toBe(true);
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const idOf = async (answer: Response) => ((await answer.json()) as { id: string }).id;
const backupsIn = (path: string) => readdirSync(path).filter((name) => !name.startsWith("lock"));

beforeAll(async () => {
  await makeIdentity(keyFile);
  writeFileSync(at("ca.pem"), (await certificate()).cert);
  env = {
    ...{ EGRESS_ALLOW: "127.0.0.0/8", NODE_EXTRA_CA_CERTS: at("ca.pem") },
    BACKUP_DIR: at("backups"),
    BACKUP_RECIPIENT: /age1\w+/.exec(readFileSync(keyFile, "utf8"))?.[0] ?? "",
    DISK_RESERVE_MB: "32",
    BACKUP_NIGHTLY: "off",
  };
  runtime = await openForCommands(await startedFolder(dataDir), env);
  demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
  const { ctx } = runtime;
  const tenant = { project_id: demo.project_id, livemode: false };
  ({ secret } = await endpointAt(ctx, tenant, `${shop.url}/hook`, ["order.paid"]));
  order = (await createOrder(ctx, tenant, { amount_minor: 8800, currency: "CNY" })).order.id;
  await simulatePayment(ctx, tenant, { order_id: order });
  mkdirSync(join(dataDir, "files", "aa"), { recursive: true });
  writeFileSync(join(dataDir, "files", "aa", "bb.png"), picture);
  writeFileSync(join(dataDir, "files", "aa", "cc.png.0123.new"), "half");
  const params = { url: `${ctx.publicUrl}/dashboard/reset-password?token=of-before`, minutes: 60 };
  await ctx.transact((tx) => notice(tx, ctx, { kind: "password_reset", recipient: demo.email, params }));
  mkdirSync(at("backups/.unfinished-2026-01-01T00-00-00.000Z"), { recursive: true });
  const taken = await run(["backup"]);
  expect(taken).toMatchObject({ code: 0, output: expect.stringContaining("It doesn't include the master keys.") });
  backup = /Backed up to (\S+):/.exec(taken.output)?.[1] ?? "";
});

afterAll(async () => {
  killAll(started);
  await runtime.close();
  folder.remove();
});

/** Restores in this process; returns the refusal. */
async function refusalOf(from: string, given: { into?: string; key?: string | null; masterKeys?: string } = {}): Promise<string> {
  const identity = given.key === null ? null : await readIdentity(given.key ?? keyFile);
  const keys = { MASTER_KEYS: given.masterKeys ?? null, MASTER_KEYS_FILE: null, MASTER_KEYS_COMMAND: null };
  const settings = { ...keys, DISK_RESERVE_MB: 32, BACKUP_DIR: at("backups") };
  return restoreBackup({ from, into: given.into ?? at("refused"), identity, settings }).then(
    () => "restored",
    (error: Error) => error.message,
  );
}

describe("a backup of a running installation", () => {
  it("is complete under its name, readable only by its owner, with matching checksums, and removes what a killed one left", () => {
    expect(backupsIn(at("backups"))).toEqual([backup.split("/").at(-1)]);
    expect(readdirSync(backup).sort()).toEqual(["SHA256SUMS", "database.tar.zst.age", "folder.tar.zst.age", "manifest.json"]);
    expect(statSync(backup).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(backup)) expect(statSync(join(backup, name)).mode & 0o777).toBe(0o600);
    const sums = ["database.tar.zst.age", "folder.tar.zst.age", "manifest.json"].map(
      (name) => `${sha256(readFileSync(join(backup, name)))}  ${name}\n`,
    );
    expect(readFileSync(join(backup, "SHA256SUMS"), "utf8")).toBe(sums.join(""));
  });

  it("describes its contents, without any secret", () => {
    const text = readFileSync(join(backup, "manifest.json"), "utf8");
    const lsn = expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/);
    expect(JSON.parse(text)).toMatchObject({
      postgres: { major: 18, system_id: expect.stringMatching(/^\d+$/), start: { lsn, timeline: 1 }, end: { lsn, timeline: 1 } },
      recipient: env["BACKUP_RECIPIENT"],
      master_keys: [{ number: 1, fingerprint: expect.stringMatching(/^\S{16}$/) }],
      uploads: "in this backup",
    });
    const secrets = [
      readFileSync(join(dataDir, "master-keys"), "utf8").trim().slice(2),
      JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")).password,
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  const into = at("restored");
  /** Where only the user who runs the server can read it. */
  const keyInside = join(into, "backup-key.txt");
  const restore = () => ["restore", backup, "--into", into, "--identity", keyInside];

  beforeAll(async () => {
    await makeTarget(into, backup);
    copyFileSync(keyFile, keyInside);
    leaveCutOff(into, backup);
  });

  it("is restored there by the same command, serves what was committed, and sends once what was waiting", async () => {
    const peer = await mailPeer();
    expect(await run(restore())).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Put the master keys into ${join(into, "master-keys")}`),
    });
    expect(readFileSync(join(into, "files", "aa", "bb.png")).equals(picture)).toBe(true);
    expect([readdirSync(join(into, "files", "aa")), existsSync(join(into, "superuser.json"))]).toEqual([["bb.png"], false]);
    expect([existsSync(join(into, "lost+found")), Object.keys(readBackupState(into))]).toEqual([true, ["verified"]]);
    expect(readFileSync(keyInside, "utf8"), "the private key stays").toBe(readFileSync(keyFile, "utf8"));
    await expect(ordersIn(into), "its start").rejects.toThrow("has a database but no master-keys file");
    copyFileSync(join(dataDir, "master-keys"), join(into, "master-keys"));
    const { PUBLIC_URL } = runtime.settings;
    const program = await (await start({ dataDir: into, env: { ...env, ...mailingEnvironment(peer.port), PUBLIC_URL } })).ready();
    expect((await call(program, `orders/${order}`)).status).toBe(200);
    const sent = (count: number) =>
      eventually(
        () => `the mail goes out, and the event: ${peer.mails.length}, ${shop.count()}\n${program.output}`,
        () => peer.mails.length >= count && shop.count() >= count,
      );
    await sent(1);
    // New events come after the queued ones, and show that none of those is sent again.
    await pay(program, await idOf(await call(program, "orders", { amount_minor: 1, currency: "CNY" })));
    await askForReset(program);
    await sent(2);
    expect((await program.stop()).code).toBe(0);
    expect([peer.mails.length, shop.count()]).toEqual([2, 2]);
    // The queued event is signed with the secret that the copy can still open.
    for (const { headers, body } of shop.received) new Webhook(secret).verify(body.toString(), headers);
  });

  it("is verified in a separate copy: audited and opened, with nothing left behind", async () => {
    const { code, output } = await run(["restore", "--verify", backup, "--identity", keyFile]);
    expect(output).toMatch(/ok {5}secrets +the master keys decrypt .*webhook_endpoints\.secret/);
    // No worker ran where the backup was taken: the rows are chained here.
    expect(output).toMatch(/every audit row is chained to the one before \([1-9]\d* rows/);
    expect(output).toMatch(/This backup restores\. .* minutes per GB/);
    expect([code, existsSync(join(dataDir, "verify"))]).toEqual([0, false]);
    const inside = join(dataDir, "verify", basename(backup));
    cpSync(backup, inside, { recursive: true });
    expect(await run(["restore", "--verify", inside, "--identity", keyFile])).toMatchObject({
      code: 1,
      output: expect.stringContaining("Move that to another folder first."),
    });
    expect(readdirSync(inside)).toEqual(readdirSync(backup));
    rmSync(join(dataDir, "verify"), { recursive: true });
    const wrong = await run(["restore", "--verify", backup, "--identity", keyFile], { env: { MASTER_KEYS: `1:${"b6".repeat(32)}` } });
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining("Master key 1 isn't the one for this backup") });
  });
});

describe("faults are found before anything is restored", () => {
  it("another major of PostgreSQL", async () => {
    const copy = at("other-major");
    cpSync(backup, copy, { recursive: true });
    const manifest = await readManifest(copy);
    const text = JSON.stringify({ ...manifest, postgres: { ...manifest.postgres, major: 17 } });
    writeFileSync(join(copy, "manifest.json"), text);
    writeFileSync(join(copy, "SHA256SUMS"), sumsOf(manifest.files, text));
    expect(await refusalOf(copy)).toContain("was made by PostgreSQL 17, but this version includes 18.");
    expect(existsSync(at("refused"))).toBe(false);
  });

  it.each(["SHA256SUMS", "manifest.json", "database.tar.zst.age", "folder.tar.zst.age"])("a flipped byte in %s", async (name) => {
    const copy = at(`flipped-${name}`);
    cpSync(backup, copy, { recursive: true });
    const bytes = readFileSync(join(copy, name));
    const place = Math.floor(bytes.length / 2);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(join(copy, name), bytes);
    expect(await refusalOf(copy)).toMatch(/is damaged/);
    rmSync(join(copy, name));
    expect(await refusalOf(copy)).toMatch(/is missing|isn't a complete backup: it has no/);
    expect(existsSync(at("refused"))).toBe(false);
  });

  it("a wrong key, or a missing one", async () => {
    await makeIdentity(at("other-key"));
    expect(await refusalOf(backup, { key: null })).toContain("Pass the file with its private key: --identity <file>.");
    expect(await refusalOf(backup, { key: at("other-key") })).toContain(`The key in ${at("other-key")} doesn't open this backup`);
    const folderAsKey = await readIdentity(at("backups")).catch((error: Error) => error.message);
    expect(folderAsKey).toMatch(/^The file with the private key can't be read: EISDIR/);
  });

  it("a folder that isn't empty, and master keys of another database", async () => {
    const full = at("full");
    mkdirSync(full);
    writeFileSync(join(full, "notes.txt"), "");
    expect(await refusalOf(backup, { into: full })).toContain("is not empty (notes.txt)");
    const among = join(at("among"), "files", basename(backup));
    cpSync(backup, among, { recursive: true });
    expect(await refusalOf(among, { into: at("among") })).toContain("where a restore puts its own files");
    expect(await refusalOf(backup, { into: dataDir })).toContain("is running on");
    expect(await refusalOf(backup, { into: at("keyed"), masterKeys: `1:${"b6".repeat(32)}` })).toContain(
      "Master key 1 isn't the one for this backup",
    );
  });
});

it("only one backup at a time is written to a folder", async () => {
  const { path, release } = await openBackupFolder(at("busy"));
  expect(await run(["backup", "--to", path])).toMatchObject({
    code: 1,
    output: expect.stringContaining(`Another backup is being written to ${path}`),
  });
  release();
});

it("a backup and a restore report a disk without room in a sentence", async () => {
  const noRoom = { env: { DISK_RESERVE_MB: "1000000000" } };
  expect(await run(["backup", "--to", at("no-room")], noRoom)).toMatchObject({
    code: 1,
    output: expect.stringContaining("There isn't enough space on the disk of"),
  });
  expect(backupsIn(at("no-room"))).toEqual([]);
  expect(await run(["restore", backup, "--into", at("no-room-either"), "--identity", keyFile], noRoom)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/The backup needs \S+ MB in .*\. 0\.0 MB are free\./),
  });
  // More than for a restore: the server on the same disk must not have to refuse writes because of the copy.
  expect((await run(["restore", "--verify", backup, "--identity", keyFile], noRoom)).output).toMatch(/to the 125\d{7}\.\d MB that must/);
});
