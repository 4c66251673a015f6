import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { requirePrograms } from "#test/support/debian/debian-programs.ts";
import { childrenOf, killNow } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { quietly } from "./shipped.ts";

/**
 * A Debian that systemd has booted, with separate processes and a separate loopback network: what listens in it isn't visible outside.
 * Needs root.
 */
export class Guest {
  readonly #nspawn: ChildProcess;
  readonly #path: string;
  #console = "";

  private constructor(path: string) {
    this.#path = path;
    requirePrograms("/usr/bin/systemd-nspawn");
    const given = [
      "--boot",
      "--quiet",
      `--directory=${path}`,
      "--private-network",
      "--register=no",
      "--keep-unit",
      "--link-journal=no",
      "--console=pipe",
    ];
    this.#nspawn = spawn("/usr/bin/setpriv", ["--pdeathsig=KILL", "/usr/bin/systemd-nspawn", ...given], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: "/",
    });
    for (const stream of [this.#nspawn.stdout, this.#nspawn.stderr]) stream?.on("data", (part: Buffer) => (this.#console += String(part)));
  }

  /** Boots the Debian in a folder and waits until its services run. */
  static async boot(path: string): Promise<Guest> {
    const guest = new Guest(path);
    await eventually(
      () => `systemd has booted:\n${guest.#console}`,
      () => {
        if (guest.#nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended with ${guest.#nspawn.exitCode}:\n${guest.#console}`);
        return guest.#isUp();
      },
      { everyMs: 200 },
    );
    return guest;
  }

  #isUp(): boolean {
    try {
      return /^(running|degraded)$/m.test(this.run("systemctl is-system-running || true"));
    } catch {
      return false;
    }
  }

  /** Runs shell lines in it as root, as after a login, and returns their output; a failing line throws with the end of the journal. */
  run(lines: string, folder = "/root"): string {
    const [first] = childrenOf(this.#nspawn.pid ?? 0);
    return quietly("nsenter", [`--target=${first}`, "--all", "/bin/sh", "-ec", `cd ${folder}\n${lines}`]);
  }

  /** Types lines at a terminal, as root in root's home folder. Returns its output; stops at the first failing line and throws. */
  type(lines: string): string {
    writeFileSync(join(this.#path, "root/.typed"), `set -e\n${lines}`);
    return this.run("script --quiet --return --command 'TERM=dumb /bin/sh /root/.typed' /dev/null").replaceAll("\r", "");
  }

  /** Waits until the Tillpost at this port is ready. */
  untilReady(port: number): void {
    this.run(`curl --silent --fail --retry 120 --retry-delay 1 --retry-all-errors --output /dev/null http://localhost:${port}/readyz`);
  }

  /** Shuts it down in order. */
  async shutDown(): Promise<void> {
    if (this.#nspawn.exitCode !== null) return;
    const ended = once(this.#nspawn, "exit");
    try {
      this.run("systemctl poweroff --no-block");
    } catch {
      killNow(this.#nspawn.pid ?? 0);
    }
    await ended;
  }
}
