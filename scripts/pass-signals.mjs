// Signals on their way through the programs that stand between npm and the server: the process that starts `npm start` (a terminal, a
// service manager, a container in which it is process 1) stops the server by one signal and learns how it ended.
import { constants } from "node:os";

const stopping = ["SIGINT", "SIGTERM", "SIGHUP"];
let child = null;

// From the first moment on: process 1 has no signal's usual effect, and what is begun before the server runs (an install, a build) must end as well.
for (const signal of stopping)
  process.on(signal, () => {
    if (child === null) process.exit(exitCodeOf(signal));
    // A terminal's Ctrl-C reaches the whole group by itself; the server takes the copy for the same press.
    child.kill(signal);
  });

/** From now on signals are this process's, which also ends with it. */
export function passSignals(to) {
  child = to;
}

/** How a shell tells that a program was ended by a signal. */
export function exitCodeOf(signal) {
  return 128 + (constants.signals[signal] ?? 1);
}
