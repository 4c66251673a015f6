import ts from "typescript";
import { type Fault, faultsOf, isProduct, isSqlFile, isTypeScript, type Rule, roomOf, type SourceFile } from "../read/sources.ts";

/**
 * Exceptions: tests of `npm test`, and helpers of tests, that read a clock or let time pass, and why a busy machine can't make them fail.
 */
const allowed: Readonly<Record<string, string>> = {
  "server/src/email/sending/too-complex.test.ts": "a pause between two looks, whose number is bounded",
  "server/src/platform/rate-limits/shared-limits.test.ts": "hands the machine's clock to a store that must not trust it",
  "server/src/providers/email/smtp/mx/create-mx-transport.test.ts": "a server of the test's that takes its time; slower still is the same",
  "server/src/webhooks/delivery/many-workers.test.ts": "a receiver of the test's that takes its time; slower still is the same",
  "server/test/support/app/test-app.ts": "a pause between two tries, whose number is bounded",
  "server/test/faults/mail/mail-stall.ts": "a receiver of the test's that takes its time; slower still is the same",
  "server/test/support/race/race.ts": "begins acts at moments that chance chooses; any other moment is as good",
  "server/test/support/smpp/faulty-smsc.ts": "a carrier of the test's that takes its time; slower still is the same",
  "server/test/faults/storms/storm.test.ts": "a pause between two requests, whose number is bounded",
  "server/test/support/upgrade/preserved-states.ts": "turns the pages of a list until its last",
  "server/test/faults/storms/webhook-storm.ts": "lets load run before it disturbs it; longer load is the same",
};

const comparisons = new Set(["toBeLessThan", "toBeLessThanOrEqual", "toBeGreaterThan", "toBeGreaterThanOrEqual", "toBeCloseTo"]);

/**
 * What `npm test` asserts is true on any machine, however busy: no measured time in an assertion, no fixed pause as proof, no wait without
 * an end.
 */
export const testsKeepNoTime: Rule = (files) => [
  ...files
    .filter(({ path }) => /\.test\.tsx?$/.test(path) && !/\.(long|peers)\.test\.ts$/.test(path) && !isAllowed(path))
    .flatMap((one) => faultsIn(one, wrongWith)),
  ...files
    .filter(({ path }) => /^server\/test\/.*\.ts$/.test(path) && !/\.test\.ts$/.test(path) && !isAllowed(path))
    .flatMap((one) => faultsIn(one, wrongOutsideTests)),
];

/** No loop waits for a time by polling the clock: it would use up a core that others need. */
export const loopsRest: Rule = (files) =>
  files
    .filter(({ path }) => /\.(ts|tsx|mjs)$/.test(path) && path !== "server/test/support/time/stalling.ts")
    .flatMap((one) => faultsIn(one, spins));

/** Exceptions: statements that are given a time, and why another process's clock can't make it wrong. */
const boundTimes: Readonly<Record<string, string>> = {
  "server/src/app/master-keys/sql.ts": "when a master key was first seen, which is only told",
  "server/src/events/sql.ts": "when an event was written, as its own bytes tell it",
  "server/src/ledger/transfer/sql.ts": "when a booking was made, which is only told: the order's time decides",
};

/** Exceptions: operations that compute with this process's clock, and why another process's clock can't make it wrong. */
const ownTimes: Readonly<Record<string, string>> = {
  "server/src/identity/keys/key-cache.ts": "remembers in this process for a while",
  "server/src/identity/sign-in/cookies/known-device.ts": "days, and a cookie from a clock ahead counts",
  "server/src/listeners/forward-messages.ts": "counts in this process for an hour",
  "server/src/email/domain/find-sender.ts": "remembers in this process for a while",
  "server/src/email/sending/claim-due.ts": "its own watch over leases, begun before the database counts",
  "server/src/email/sending/end-sends.ts": "moves a transport's time to the database's",
  "server/src/calls/recording/store-file.ts": "files of one machine, also while the database is away; a look under a lock stores each once",
  "server/src/calls/running/claim-calls.ts": "its own watch over leases, begun before the database counts",
  "server/src/messaging/sending/create-sender.ts": "its own watch over leases, begun before the database counts",
  "server/src/messaging/sending/send-pool.ts": "its own watch over leases, begun before the database counts",
  "server/src/orders/order/warn-orders.ts": "remembers in this process for a while",
  "server/src/sms/sending/claim-due.ts": "its own watch over leases, begun before the database counts",
  "server/src/sms/sending/end-sends.ts": "moves a transport's time to the database's",
  "server/src/sms/sending/send-sms.ts": "a transport's time, which is moved to the database's when the send is written down",
  "server/src/webhooks/delivery/sending/claim-due.ts": "its own watch over leases, begun before the database counts",
  "server/src/webhooks/delivery/sending/endpoint-queues.ts": "its own watch over leases",
};

/** Exceptions: places that read the machine's clock, and why another process's time makes it no less right. */
const machineTimes: Readonly<Record<string, string>> = {
  "server/src/app/backup/bucket/bucket-of.ts": "signs requests to a store, also where there is no database yet",
  "server/src/app/commands/listen.ts": "a developer's machine, which signs for itself",
  "server/src/app/doctor/checks.ts": "holds the machine's clock against others",
  "server/src/app/runtime/anchor-file.ts": "held against the time of a file",
  "server/src/app/runtime/create-runtime.ts": "before there is a database, and only told",
  "server/src/app/mail/read-own-mail.ts": "days, and held against the time of files",
  "server/src/app/simulator/run-simulator.ts": "a simulated provider's clock is no other machine's",
  "server/src/http/operations/watchdog/watchdog-thread.ts": "a line of the log",
  "server/src/http/server/install-server.ts": "says what the sign-in library reads by itself, so that it can be moved",
  "server/src/platform/database/process-clock.ts": "holds the machine's clock against the database's",
  "server/src/platform/ids.ts": "what tests leave out",
};

/** Rooms that serve and run: they only measure their own process. */
const served = new Set(["platform", "requests", "http", "workers", "app"]);

const oneClock = "the database's clock decides, for all processes alike";

/** No statement is given this process's time: what is due, held or expired is computed and compared by `app_now()`. */
export const statementsShareAClock: Rule = (files) =>
  files
    .filter(({ path }) => isProduct(path) && isSqlFile(path) && boundTimes[path] === undefined)
    .flatMap((file) => faultsOf(file, /\$\{(?:\w+\.)*now\}/g, `takes this process's time: write app_now(), because ${oneClock}`));

/** Rooms neither compare with this process's time nor count from it. A context called `pinned` has the database's. */
export const roomsShareAClock: Rule = (files) =>
  files
    .filter(
      ({ path }) =>
        isProduct(path) && isTypeScript(path) && roomOf(path) !== null && !served.has(roomOf(path) ?? "") && ownTimes[path] === undefined,
    )
    .flatMap((file) =>
      faultsOf(
        file,
        /\bctx\.now\(\)(?:\.getTime\(\))? *[-+<>]|[-+<>]=? *ctx\.now\(\)/g,
        `reckons with this process's time: take findNow or atNow after the lock, because ${oneClock}`,
      ),
    );

/**
 * The machine's clock is never used for times, signatures or ids: `ctx.now()` is corrected by the database's, and so are ids, which order
 * rows.
 */
export const machineClockIsNotRead: Rule = (files) =>
  files
    .filter(({ path }) => isProduct(path) && isTypeScript(path) && roomOf(path) !== null && machineTimes[path] === undefined)
    .flatMap((file) =>
      faultsOf(
        file,
        /\bDate\.now\b|\bnew Date\(\)|\bnewId\([^,()]*\)/g,
        "reads the machine's clock, which may be minutes off: take ctx.now() or ctx.id()",
      ),
    );

const isAllowed = (path: string) => allowed[path] !== undefined;

function faultsIn(file: SourceFile, wrong: (node: ts.Node) => string | null): Fault[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    const message = wrong(node);
    if (message !== null) faults.push({ path: file.path, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, message });
    node.forEachChild(visit);
  };
  visit(source);
  return faults;
}

function wrongWith(node: ts.Node): string | null {
  if (isEndless(node) && /\bawait\b/.test(node.getText())) return endless;
  if (!ts.isCallExpression(node)) return null;
  const callee = node.expression.getText();
  if (/^(performance\.now|Date\.now|process\.hrtime(\.bigint)?)$/.test(callee)) return clock;
  if (isPause(callee)) return pause;
  return ts.isPropertyAccessExpression(node.expression) &&
    comparisons.has(node.expression.name.text) &&
    isOfTime(node.expression.expression)
    ? measured
    : null;
}

/** A helper may pause between two checks of a loop that ends, and read the clock to time out. */
function wrongOutsideTests(node: ts.Node): string | null {
  if (isEndless(node) && /\bawait\b/.test(node.getText())) return endless;
  if (!ts.isCallExpression(node)) return null;
  const callee = node.expression.getText();
  return /\.waitForTimeout$/.test(callee) || (isPause(callee) && !isInLoop(node)) ? pause : null;
}

const isPause = (callee: string) => /^(setTimeout|sleep|pause|delay|setTimeoutPromise)$|\.waitForTimeout$/.test(callee);

function isInLoop(node: ts.Node): boolean {
  for (let above = node.parent; above !== undefined; above = above.parent) {
    if (ts.isIterationStatement(above, false)) return true;
    // A named function is a separate step: the loop around its call isn't visible from here.
    if (ts.isFunctionDeclaration(above)) return false;
  }
  return false;
}

function spins(node: ts.Node): string | null {
  if (!ts.isWhileStatement(node) && !ts.isDoStatement(node) && !ts.isForStatement(node)) return null;
  const condition = ts.isForStatement(node) ? node.condition : node.expression;
  const asks = /\b(performance\.now|Date\.now|process\.hrtime(\.bigint)?|now)\(/.test(condition?.getText() ?? "");
  return asks && !/\bawait\b/.test(node.getText()) ? burns : null;
}

/** A loop without a bound in its condition: neither a number of checks nor a timeout. */
function isEndless(node: ts.Node): boolean {
  if (ts.isForStatement(node)) return node.condition === undefined;
  if (!ts.isWhileStatement(node) && !ts.isDoStatement(node)) return false;
  if (node.expression.kind === ts.SyntaxKind.TrueKeyword) return true;
  const condition = node.expression.getText();
  const isBounded = /[<>]/.test(condition.replaceAll("=>", "")) || /\b(return|throw|break)\b/.test(node.statement.getText());
  // Something is waited for. `while (going)` isn't: the test itself ends what runs beside it.
  return !isBounded && (pauses(node.statement) || /^!|[!=]==/.test(condition));
}

function pauses(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && isPause(node.expression.getText())) return true;
  return ts.forEachChild(node, (child) => pauses(child) || undefined) ?? false;
}

/** Whether `expect(…)` was given a measurement: names of durations end in their unit. */
function isOfTime(expected: ts.Expression): boolean {
  const [given] = ts.isCallExpression(expected) && expected.expression.getText() === "expect" ? expected.arguments : [];
  return given !== undefined && /(\b(took|elapsed)\w*|[a-z](Ms|Seconds)|\.longest)$/.test(given.getText());
}

const burns = "waits by asking the clock without rest: it burns a core. Wait for a timer or an event";
const why = "a busy machine makes it fail";
const endless = "waits without an end: take `eventually`, which says what never came about";
const clock = `reads the machine's clock: ${why}. Move the assertion to the long form or the bench, or use the test app's clock`;
const pause = `lets a fixed time pass: ${why}, or proves nothing. Wait for what can be seen with \`eventually\``;
const measured = `asserts how long something took: ${why}. Move it to the long form or the bench`;
