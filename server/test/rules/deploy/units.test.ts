import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandList } from "#app/commands/index.ts";
import { settingsTable } from "#app/settings-table.ts";
import { deployed, releaseName, repository } from "#test/support/deploy/shipped.ts";

describe("the systemd units", () => {
  const units = ["tillpost.service", "tillpost-api@.service", "tillpost-worker@.service", "tillpost-migrate.service"];

  it.each(units)("%s starts an existing command, from the link to the release", (name) => {
    const [, command = ""] =
      /^ExecStart=(?:\/usr\/bin\/env \w+=%i )?\/opt\/tillpost\/bin\/tillpost (\w+)$/m.exec(deployed(`systemd/${name}`)) ?? [];
    expect(Object.keys(commandList)).toContain(command);
    expect(existsSync(`${repository}${/^Documentation=file:\/\/\/opt\/tillpost\/(.*)$/m.exec(deployed(`systemd/${name}`))?.[1]}`)).toBe(
      true,
    );
  });

  it("use existing settings", () => {
    const text = units.map((name) => deployed(`systemd/${name}`)).join("\n");
    const names = [...text.matchAll(/\b([A-Z][A-Z_]+)=(?:%i|\/)/g)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "NODE_COMPILE_CACHE");
    expect(new Set(names)).toEqual(new Set(["TILLPOST_DATA_DIR", "PORT", "WORKER_PORT"]));
    const commented = [...deployed("systemd/tillpost.env").matchAll(/^#([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect([...names, ...commented].filter((name) => !(name in settingsTable))).toEqual([]);
    expect(commented.length).toBeGreaterThan(3);
  });
});

it("the page uses release names of the version in package.json", () => {
  expect(readFileSync(`${repository}docs/operations/install.md`, "utf8")).toContain(`${releaseName()}.tar.gz`);
});
