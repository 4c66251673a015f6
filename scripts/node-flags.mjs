// Plain JavaScript for any Node from 20 on: it has to work before the pinned Node is installed.
import { availableParallelism } from "node:os";

/** Node's default number of threads for garbage collection and compilation, on every machine. */
const usualHelpers = 4;

/**
 * Node's flags for running the server with this many processors. Young objects get semi-spaces of 8 MB instead of 16: some 20 MB less when
 * idle, without a cost that the benchmark shows. One processor is left to the thread that serves: with four helpers on two processors it
 * waited longer than it worked, and /healthz took twice as long next to busy threads. The silenced warning is about the function that
 * strips the types of the payment page's script.
 */
export function serverFlags(processors = availableParallelism()) {
  const helpers = Math.min(usualHelpers, Math.max(1, processors - 1));
  return ["--max-semi-space-size=8", `--v8-pool-size=${helpers}`, "--disable-warning=ExperimentalWarning"];
}
