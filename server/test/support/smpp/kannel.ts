import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";

const run = promisify(execFile);
/** With the libraries that a machine without Kannel lacks. */
const packages = ["kannel", "libct4", "libhiredis0.14", "libmariadb3", "libpcre3"];

/** Where Kannel's programs are: installed, or unpacked from Debian's packages into a folder, so that no daemon of the machine starts. */
async function kannelPrograms(folder: string): Promise<{ bin: string; libraries: string }> {
  if (existsSync("/usr/sbin/bearerbox")) return { bin: "/usr/sbin", libraries: "/usr/lib" };
  const root = join(folder, "root");
  mkdirSync(root);
  try {
    await run("apt-get", ["download", ...packages], { cwd: folder });
    for (const name of packages) await run("sh", ["-c", `dpkg -x ${name}_*.deb root`], { cwd: folder });
  } catch (error) {
    throw new Error("These tests need Kannel. As root: apt-get install -y --no-install-recommends kannel", { cause: error });
  }
  const machine = (await run("dpkg-architecture", ["-qDEB_HOST_MULTIARCH"]).catch(() => run("gcc", ["-print-multiarch"]))).stdout.trim();
  return { bin: join(root, "usr/sbin"), libraries: ["usr/lib", "lib"].map((place) => join(root, place, machine)).join(":") };
}

interface Ports {
  admin: number;
  box: number;
  sendsms: number;
  carrier: number;
}

interface KannelOptions {
  /** Submissions that may be without a response; Kannel's default if absent. */
  window?: number;
  /** It logs only what ends it. */
  isQuiet?: boolean;
}

const configuration = ({ admin, box, sendsms, carrier }: Ports, { window }: KannelOptions) => `
group = core
admin-port = ${admin}
admin-interface = 127.0.0.1
admin-password = none
smsbox-port = ${box}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1

group = smsc
smsc = smpp
smsc-id = main
host = 127.0.0.1
port = ${carrier}
transceiver-mode = true
smsc-username = kannel
smsc-password = s3cr3t
system-type = ""
interface-version = 34
source-addr-autodetect = true
source-addr-ton = 3
source-addr-npi = 1
esm-class = 0
${window === undefined ? "" : `max-pending-submits = ${window}`}

group = smsbox
bearerbox-host = 127.0.0.1
bearerbox-port = ${box}
sendsms-port = ${sendsms}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = tester
password = tester
concatenation = true
max-messages = 10
`;

/** Kannel's two boxes in front of a test's carrier. */
export async function startKannel(carrierPort: number, options: KannelOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-kannel-"));
  const { bin, libraries } = await kannelPrograms(folder);
  const ports: Ports = { admin: await freePort(), box: await freePort(), sendsms: await freePort(), carrier: carrierPort };
  const file = join(folder, "kannel.conf");
  writeFileSync(file, configuration(ports, options));
  const output: string[] = [];
  const start = (program: string) => {
    const verbosity = options.isQuiet === true ? ["-v", "4"] : [];
    const child = spawn("/usr/bin/env", [`LD_LIBRARY_PATH=${libraries}`, join(bin, program), ...verbosity, file], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    // An interrupted run leaves none behind.
    const end = () => void child.kill("SIGKILL");
    process.once("exit", end);
    child.once("exit", () => process.off("exit", end));
    for (const stream of [child.stdout, child.stderr]) createInterface(stream).on("line", (line) => output.push(`${program}: ${line}`));
    return child;
  };
  const bearerbox = start("bearerbox");
  await eventually(
    () => `bearerbox listens:\n${output.slice(-20).join("\n")}`,
    async () => bearerbox.exitCode !== null || (await answers(`http://127.0.0.1:${ports.admin}/status.txt?password=none`)),
  );
  const smsbox = start("smsbox");
  const sendsms = `http://127.0.0.1:${ports.sendsms}/cgi-bin/sendsms`;
  await eventually(
    () => `smsbox listens:\n${output.slice(-20).join("\n")}`,
    async () => smsbox.exitCode !== null || (await answers(sendsms)),
  );
  if (bearerbox.exitCode !== null || smsbox.exitCode !== null) throw new Error(`Kannel did not start:\n${output.slice(-20).join("\n")}`);
  return {
    sendsms: new URL(sendsms),
    /** Hands a text over by Kannel's HTTP interface. */
    async send(query: Readonly<Record<string, string>>): Promise<string> {
      const answer = await fetch(`${sendsms}?${new URLSearchParams({ username: "tester", password: "tester", ...query })}`);
      return answer.text();
    },
    async stop() {
      for (const child of [smsbox, bearerbox]) {
        if (child.exitCode !== null) continue;
        const ended = once(child, "close");
        child.kill("SIGKILL");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
