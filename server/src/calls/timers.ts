/** Does something after a while; what it answers undoes that. Given from outside, so that time can be made to pass. */
export type After = (ms: number, run: () => void) => () => void;

/** Time as it passes. */
export const realTime: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
