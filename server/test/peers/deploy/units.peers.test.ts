import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { requirePrograms } from "#test/support/debian/debian-programs.ts";
import { repository } from "#test/support/deploy/shipped.ts";

requirePrograms("/usr/bin/systemd-analyze");
const folder = mkdtempSync(join(tmpdir(), "tillpost-units-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Out of ten; a service that listens on a network and runs a compiler can't have zero. */
const maxExposed = 2.5;
const units = readdirSync(`${repository}deploy/systemd`).filter((file) => file.endsWith(".service"));

const analyze = (...given: string[]) =>
  spawnSync("/usr/bin/systemd-analyze", given, { encoding: "utf8", env: { PATH: "/usr/bin:/bin", NO_COLOR: "1" } });

/** The units as they are installed, with the program that they start. */
function install(change = (text: string) => text): string[] {
  const at = mkdtempSync(join(folder, "units-"));
  mkdirSync(join(at, "bin"));
  cpSync(`${repository}deploy/bin/tillpost`, join(at, "bin/tillpost"));
  return units.map((file) => {
    const path = join(at, file.replace("@.", "@8080."));
    const text = readFileSync(`${repository}deploy/systemd/${file}`, "utf8").replaceAll("/opt/tillpost/bin/", `${at}/bin/`);
    writeFileSync(path, change(text).replace(/^Documentation=.*\n/m, ""));
    return path;
  });
}

describe("the systemd units", () => {
  it("have no fault that systemd detects, which detects the faults of others", () => {
    expect(units).toHaveLength(4);
    const good = analyze("verify", "--man=no", ...install());
    expect([good.status, good.stderr]).toEqual([0, ""]);
    const bad = analyze(
      "verify",
      "--man=no",
      ...install((text) => text.replace("ProtectSystem=", "ProtectSytem=").replace("KillMode=mixed", "KillMode=some")),
    );
    expect(bad.stderr).toContain("ProtectSytem");
    expect(bad.stderr).toContain("Failed to parse kill mode");
  });

  it("expose little", () => {
    for (const path of install()) {
      const { stdout } = analyze("security", "--offline=true", "--no-pager", path);
      expect(Number(/exposure level for .*: ([\d.]+)/.exec(stdout)?.[1]), stdout).toBeLessThanOrEqual(maxExposed);
    }
  });
});
