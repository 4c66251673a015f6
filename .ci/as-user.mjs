// node as-user.mjs <uid> <gid> <command> …: runs a command as another user, which root may; neither su nor setpriv is needed. Signals are
// passed on.
import { spawn } from "node:child_process";
import { constants } from "node:os";

const [uid, gid, command, ...rest] = process.argv.slice(2);
const child = spawn(command, rest, { uid: Number(uid), gid: Number(gid), stdio: ["ignore", "inherit", "inherit"] });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.once("error", (error) => {
  process.stderr.write(`${command} cannot be started: ${error.message}\n`);
  process.exit(1);
});
child.once("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)));
