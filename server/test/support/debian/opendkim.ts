import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#test/support/network/free-port.ts";

/** A verifier that mail servers query about every message. */
export interface Verifier {
  port: number;
  stop(): Promise<void>;
}

/** Starts OpenDKIM with the test's own TXT records instead of DNS. */
export async function startOpenDkim(records: Record<string, string>): Promise<Verifier> {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-opendkim-"));
  const port = await freePort();
  const dns = join(folder, "dns");
  const conf = join(folder, "opendkim.conf");
  writeFileSync(
    dns,
    Object.entries(records)
      .map(([name, text]) => `${name} ${text}\n`)
      .join(""),
  );
  const lines = {
    Mode: "v",
    Socket: `inet:${port}@127.0.0.1`,
    TestDNSData: dns,
    AlwaysAddARHeader: "yes",
    AuthservID: "verifier.example",
    Syslog: "no",
    InternalHosts: "192.0.2.1",
  };
  writeFileSync(
    conf,
    Object.entries(lines)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(""),
  );
  const child = spawn("/usr/sbin/opendkim", ["-f", "-x", conf], { stdio: "ignore" });
  for (let attempt = 0; !(await opens(port)); attempt += 1) {
    if (attempt === 100 || child.exitCode !== null) throw new Error(`OpenDKIM did not start (${conf})`);
    await sleep(50);
  }
  return {
    port,
    async stop() {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function opens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
