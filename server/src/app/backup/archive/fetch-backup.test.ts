import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeBackup } from "#test/support/backups/written-backup.ts";
import { s3Store } from "#test/support/network/s3-store.ts";
import { openBucket } from "../bucket/open-bucket.ts";
import { copyBackups } from "./copy-backups.ts";
import { fetchBackup } from "./fetch-backup.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-fetched-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const store = await s3Store();
const credentials = { region: "us-east-1", accessKeyId: "a", secretAccessKey: "b", now: () => new Date("2026-11-20T08:00:00Z") };
const bucket = openBucket({ ...credentials, endpoint: store.endpoint, bucket: "backups" });
const name = "2026-11-20T03-00-00.000Z";
const fetched = () => fetchBackup(bucket, { name: "latest", folder: at("here"), reserveBytes: 0 });
const archive = join(at("here"), name, "database.tar.zst");

writeBackup(at("there"), name, { content: "the database" });
await copyBackups(at("there"), bucket);

it("a backup that is on this machine isn't fetched, unless it's damaged: then that one is set aside", async () => {
  expect(await fetched()).toEqual({ path: join(at("here"), name), aside: null });
  const good = store.objects.get(`${name}/database.tar.zst`) ?? Buffer.alloc(0);
  store.objects.delete(`${name}/database.tar.zst`);
  expect(await fetched()).toEqual({ path: join(at("here"), name), aside: null });
  store.objects.set(`${name}/database.tar.zst`, good);
  const aside = join(at("here"), `damaged-${name}`);
  const damages = [() => writeFileSync(archive, "the datebase"), () => rmSync(join(at("here"), name, "manifest.json"))];
  for (const damage of damages) {
    damage();
    expect(await fetched()).toEqual({ path: join(at("here"), name), aside });
    expect(readFileSync(archive, "utf8")).toBe("the database");
  }
});

it("nothing else is fetched, whatever the bucket contains and however it is named", async () => {
  const before = readdirSync(folder).sort();
  for (const key of ["x/../../escaped", "../escaped", "../../escaped", "more/escaped", "escaped", "SHA256SUMS/../../escaped"])
    store.objects.set(`${name}/${key}`, Buffer.from("evil"));
  store.objects.set("2/../../escaped/SHA256SUMS", Buffer.from("evil"));
  rmSync(at("here"), { recursive: true });
  await fetched();
  expect(readdirSync(join(at("here"), name)).sort()).toEqual(["SHA256SUMS", "database.tar.zst", "manifest.json"]);
  expect(readdirSync(at("here")).filter((one) => !one.startsWith("lock"))).toEqual([name]);
  expect([readdirSync(folder).sort(), existsSync(join(folder, "..", "escaped"))]).toEqual([before, false]);
});
