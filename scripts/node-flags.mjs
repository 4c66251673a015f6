// Plain JavaScript for any Node from 20 on: what must work before the pinned Node is there.
import { availableParallelism } from "node:os";

/** Node's own number of threads that collect garbage and compile, whatever the machine. */
const usualHelpers = 4;

/**
 * What Node is given to run the server with that many processors. Young objects get 8 MB a half-space in place of 16: some 20 MB less at rest, at no price
 * that the benchmark shows. One processor is left to the thread that serves: with four helpers on two processors it waited for its turn longer than it
 * worked, and /healthz took twice as long beside threads that are busy. The silenced warning is about the function that strips the types of the pay page's script.
 */
export function serverFlags(processors = availableParallelism()) {
  const helpers = Math.min(usualHelpers, Math.max(1, processors - 1));
  return ["--max-semi-space-size=8", `--v8-pool-size=${helpers}`, "--disable-warning=ExperimentalWarning"];
}
