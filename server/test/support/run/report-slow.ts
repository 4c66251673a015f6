import type { Reporter, TestModule } from "vitest/node";

/** As shares of the total time of all files, since machines and their load differ. */
const [slow, tooSlow] = [1 / 100, 1 / 25];
/** A run with fewer files was limited to them on purpose. */
const wholeRun = 300;

/** Prints the ten slowest files; fails a whole run in which one file takes more than its share. */
export default class ReportSlow implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < wholeRun) return;
    const files = modules
      .map((module) => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }))
      .sort((one, other) => other.ms - one.ms);
    const all = files.reduce((sum, { ms }) => sum + ms, 0);
    const line = ({ name, ms }: { name: string; ms: number }) =>
      `${(ms / 1000).toFixed(1).padStart(7)} s  ${((ms / all) * 100).toFixed(1)} %  ${name}`;
    console.log(
      `\nThe slowest of ${files.length} files, which took ${Math.round(all / 1000)} s together:\n${files.slice(0, 10).map(line).join("\n")}`,
    );
    const warned = files.filter(({ ms }) => ms > all * slow);
    if (warned.length > 0) console.log(`${warned.length} files take more than ${(slow * 100).toFixed(1)} % of all.`);
    const refused = files.filter(({ ms }) => ms > all * tooSlow);
    if (refused.length === 0) return;
    console.log(
      `Too slow: a file may take ${(tooSlow * 100).toFixed(1)} % of all. Make it faster, or move its full form to a .long.test.ts:\n${refused.map(line).join("\n")}`,
    );
    process.exitCode = 1;
  }
}
