import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { processEnvironment } from "../server/src/app/config.ts";

const own = fileURLToPath(new URL("../.ci/", import.meta.url));
const isRoot = process.getuid?.() === 0;
const green = { licences: 0, check: 0, test: 0, told: "Tests  40 passed (40)" };

/** Runs `.ci/run` on a checkout in which everything it calls ends as specified. Only root runs the last step, which has 3 passing tests. */
function ci(steps: Partial<typeof green> = {}) {
  const given = { ...green, ...steps };
  const folder = mkdtempSync(join(tmpdir(), "ci-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const put = (path: string, text: string) => {
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), 0o755);
  };
  for (const name of ["", "programs", "checkout", "checkout/.ci", "checkout/scripts"]) mkdirSync(join(folder, name), { recursive: true });
  chmodSync(folder, 0o755);
  for (const name of ["run", "as-user.mjs"]) copyFileSync(join(own, name), join(folder, "checkout/.ci", name));
  put("checkout/scripts/install.mjs", "export const ensureInstalled = async () => {};\nexport const pinnedNode = async () => {};\n");
  put("programs/npm", `#!/bin/sh\nexit ${given.licences}\n`);
  // No account is made on the machine: who runs the tests is then the user that every system has.
  put("programs/useradd", "#!/bin/sh\nexit 1\n");
  put(
    "programs/node",
    `#!/bin/sh
case "$*" in
  "scripts/run.mjs check") exit ${given.check} ;;
  *serve.long.test.ts*) echo "as root: user $(id -u)"; echo "      Tests  3 passed (3)" ;;
  "scripts/run.mjs test"*) echo "tests: user $(id -u) in $PWD"; echo "      ${given.told}"; exit ${given.test} ;;
  *) exec '${process.execPath}' "$@" ;;
esac
`,
  );
  const environment = processEnvironment();
  const env = { ...environment, PATH: `${join(folder, "programs")}:${environment["PATH"]}` };
  const { stdout, status } = spawnSync("bash", [join(folder, "checkout/.ci/run")], { env, encoding: "utf8" });
  return { status, stdout, last: stdout.trimEnd().split("\n").at(-1) };
}

const passed = (count: number) => count + (isRoot ? 3 : 0);

test("is green when every step is, and reports how many tests passed", () => {
  expect(ci()).toMatchObject({ status: 0, last: `${passed(40)} passed, 0 failed` });
});

test("runs the tests as an ordinary user, no matter who started it; as root it runs only the tests about root", () => {
  const { stdout } = ci();
  const [, user, place] = /^tests: user (\d+) in (.*)$/m.exec(stdout) ?? [];
  expect(user).not.toBe("0");
  expect(place?.startsWith("/tmp/tillpost-ci.")).toBe(isRoot);
  expect(stdout.match(/^as root: user .*$/gm)).toEqual(isRoot ? ["as root: user 0"] : null);
});

test.each<[string, Partial<typeof green>, string]>([
  ["licences that cannot ship", { licences: 1 }, `${passed(40)} passed, 1 failed`],
  ["a check", { check: 1 }, `${passed(40)} passed, 1 failed`],
  ["two tests", { test: 1, told: "Tests  2 failed | 38 passed (40)" }, `${passed(38)} passed, 2 failed`],
  ["two tests and a check", { test: 1, check: 1, told: "Tests  2 failed | 38 passed (40)" }, `${passed(38)} passed, 3 failed`],
  ["a run whose tests all passed", { test: 1 }, `${passed(40)} passed, 1 failed`],
])("is red by %s", (_what, steps, last) => {
  expect(ci(steps)).toMatchObject({ status: 1, last });
});
