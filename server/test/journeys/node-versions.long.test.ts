import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FreshCopy, freshCopy } from "#test/support/programs/fresh-copy.ts";
import { databaseProcesses } from "#test/support/programs/program.ts";

/** npm provides each Node as a package for this platform, including the one that the program itself runs on. */
const { nodePackage, root } = (await import(new URL("../../../scripts/install.mjs", import.meta.url).href)) as {
  nodePackage: string;
  root: string;
};
const folder = mkdtempSync(join(tmpdir(), "tillpost-nodes-"));
const copies: FreshCopy[] = [];
afterAll(() => {
  for (const copy of copies) copy.remove();
  rmSync(folder, { recursive: true, force: true });
});

const least = Number(/>=(\d+)/.exec(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).engines.node)?.[1]);
const supported = [20, 22, 24, 26];

it("begins with the oldest Node that package.json allows", () => expect(supported[0]).toBe(least));

describe.each(supported)("on a machine whose Node is %i", (major) => {
  it("two commands are enough: `npm start` runs the product until SIGTERM, and `npm test` passes", { timeout: 1_800_000 }, async () => {
    const home = join(folder, String(major));
    const fetched = spawnSync("npm", ["install", "--prefix", home, "--no-audit", "--no-fund", `${nodePackage}@${major}`], {
      encoding: "utf8",
      cwd: tmpdir(),
    });
    expect(fetched.status, fetched.stderr).toBe(0);
    const nodeFolder = join(home, "node_modules", nodePackage, "bin");
    const copy = freshCopy({ nodeFolder });
    copies.push(copy);
    expect(copy.npm("exec", "--", "node", "--version").stdout).toMatch(new RegExp(`^v${major}\\.`));

    // npm installs everything first.
    const program = await (await copy.start()).ready({ withinMs: 900_000 });
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${program.url}/dashboard`)).text()).toContain("<script");
    expect((await program.stop()).code).toBe(0);
    expect(databaseProcesses(program.dataDir)).toEqual([]);

    // The tests run under the pinned Node, whichever one is found first: the chosen tests are about the scripts that find it.
    const tested = copy.npm("test", "--", "scripts", "server/src/orders/settle");
    expect(tested.status, tested.stdout + tested.stderr).toBe(0);
    expect(tested.stdout).toMatch(/Tests +\d+ passed/);
    copy.remove();
  });
});
