// Preloaded into Node before a program: shifts its clock by so many milliseconds, in every thread.
const aheadMs = Number(process.env.TILLPOST_TEST_CLOCK_AHEAD_MS ?? 0);
const Machine = Date;
const now = () => Machine.now() + aheadMs;

globalThis.Date = new Proxy(Machine, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new Machine(now()).toString(),
  get: (target, name, self) => (name === "now" ? now : Reflect.get(target, name, self)),
});
