import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { requirePrograms } from "#test/support/debian/debian-programs.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";

export type SmscAction =
  | { resp: { status?: number; message_id?: string } }
  | { deliver: Record<string, string | number | { hex: string }> }
  | { raw: string }
  | { deaf: 1 }
  | { close: 1 };

/** What a carrier does, event by event; the last list of a kind applies to all that follow. */
export interface SmscPlan {
  bind?: SmscAction[][];
  /** By destination, without its plus sign. */
  submit?: Record<string, SmscAction[][]>;
  delivered?: SmscAction[][];
}

export interface SmscEvent {
  event: string;
  status?: number;
  body?: string;
}

const script = fileURLToPath(new URL("scripted-smsc.pl", import.meta.url));

/** A carrier on Debian's Net::SMPP that follows a plan. */
export async function startPerlSmsc(plan: SmscPlan) {
  requirePrograms("/usr/bin/perl", "/usr/share/perl5/Net/SMPP.pm");
  const folder = mkdtempSync(join(tmpdir(), "tillpost-smsc-"));
  const file = join(folder, "plan.json");
  writeFileSync(file, JSON.stringify(plan));
  const port = await freePort();
  const child = spawn("/usr/bin/perl", [script, String(port), file], { stdio: ["ignore", "pipe", "pipe"] });
  const events: SmscEvent[] = [];
  const output: string[] = [];
  createInterface(child.stdout).on("line", (line) => events.push(JSON.parse(line) as SmscEvent));
  createInterface(child.stderr).on("line", (line) => output.push(line));
  await eventually(
    () => `the carrier listens: ${output.join("\n")}`,
    () => events.some(({ event }) => event === "listening") || child.exitCode !== null,
  );
  if (child.exitCode !== null || !existsSync(file)) throw new Error(`the carrier did not start: ${output.join("\n")}`);
  return {
    port,
    events,
    async stop() {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
