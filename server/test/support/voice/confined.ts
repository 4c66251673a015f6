import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const program = fileURLToPath(new URL("./run-scenario.ts", import.meta.url));
const limitMs = 150_000;
const run = promisify(execFile);

/** The confined network's address that isn't loopback: baresip sends from no other. */
export const confinedAddress = "10.9.9.1";

/**
 * Runs a scenario with other people's SIP programs in a separate network, which has a loopback and one address: nothing can leave it or
 * reach it. Returns what the scenario found. Ordinary users may do this if the kernel allows them namespaces.
 */
export async function runConfined<Found>(name: string): Promise<Found> {
  const network = `ip link set lo up && ip link add v0 type veth peer name v1 && ip addr add ${confinedAddress}/24 dev v0 && ip link set v0 up && ip link set v1 up`;
  const script = `${network} && exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"`;
  const { stdout } = await run(
    "unshare",
    ["--map-root-user", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", script, process.execPath, program, name],
    {
      timeout: limitMs,
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "null") as Found;
}
