import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processEnvironment } from "#app/config.ts";
import { freePort } from "#test/support/network/free-port.ts";

export interface GuideReceiver {
  /** Heading of the guide, and the language of its code. */
  heading: string;
  file: string;
  command(file: string, port: number): [program: string, ...words: string[]];
}

const guide = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");
const secret = "whsec_dGlsbHBvc3QtdGlsbHBvc3QtdGlsbHBvc3QtMTIzNDU2";

/** Runs the guide's own receiver and returns the statuses it gives to a valid, a changed, an unsigned and a wrongly signed delivery. */
export async function tryReceiver({ heading, file, command }: GuideReceiver): Promise<number[]> {
  const code = new RegExp(`### ${heading}\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1];
  if (code === undefined) throw new Error(`the guide has no receiver in ${heading}`);
  const folder = mkdtempSync(join(tmpdir(), "tillpost-guide-"));
  const path = join(folder, file);
  writeFileSync(path, code);
  const port = await freePort();
  const [program, ...words] = command(path, port);
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...processEnvironment(), TILLPOST_SECRET: secret, PORT: String(port) },
    stdio: "ignore",
    detached: true,
  });
  try {
    return await deliver(port, child);
  } finally {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function deliver(port: number, child: ChildProcess): Promise<number[]> {
  const body = JSON.stringify({ id: "evt_1", event: "order.paid", data: { order: { reference: "价格" } } });
  const sign = (text: string, key = secret) => ({ "x-service-signature": createHmac("sha256", key).update(text).digest("hex") });
  const post = (text: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: text, headers: { "content-type": "application/json", ...headers } }).then(
      (answer) => answer.status,
    );
  const fault = once(child, "error").then(([error]) => Promise.reject(error as Error));
  const up = async () => {
    for (let n = 0; n < 1_200; n += 1) {
      const answered = await post(body, {}).catch(() => null);
      if (answered !== null) return;
      if (child.exitCode !== null) throw new Error(`the receiver ended with ${child.exitCode}`);
      await sleep(50);
    }
    throw new Error("the receiver did not begin to answer");
  };
  await Promise.race([up(), fault]);
  return [
    await post(body, sign(body)),
    await post(`${body} `, sign(body)),
    await post(body, {}),
    await post(body, sign(body, "whsec_other")),
  ];
}

/** The group too: a compiler leaves the program that it made as its child. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const gone = once(child, "exit");
  process.kill(-child.pid, "SIGKILL");
  await gone;
}
