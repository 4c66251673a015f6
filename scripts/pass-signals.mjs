// Passes signals through the programs between npm and the server: what starts `npm start` (a terminal, a service manager, a container in
// which it is process 1) stops the server with one signal and gets its exit status.
import { constants } from "node:os";

const stopping = ["SIGINT", "SIGTERM", "SIGHUP"];
let child = null;

// From the beginning: process 1 doesn't have signals' default actions, and what starts before the server (an install, a build) must end as
// well.
for (const signal of stopping)
  process.on(signal, () => {
    if (child === null) process.exit(exitCodeOf(signal));
    // A terminal's Ctrl-C already reaches the whole group; the server treats the second signal as the same one.
    child.kill(signal);
  });

/** From now on signals go to this child process instead of ending this one. */
export function passSignals(to) {
  child = to;
}

/** How a shell reports that a program was ended by a signal. */
export function exitCodeOf(signal) {
  return 128 + (constants.signals[signal] ?? 1);
}
