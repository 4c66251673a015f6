import type { Writable } from "node:stream";
import pg from "pg";
import type { Client, Pool } from "./connect.ts";
import { withCode } from "./faults.ts";
import type { Answer, Sender, Written } from "./statement.ts";
import { waitApart } from "./wait-limit.ts";
import { commitOf, isCut } from "./watched-client.ts";

export interface TransactionRules {
  probe: Sender["probe"];
  /** Refuses a statement while another one of the transaction is in progress, unless both are part of a pipeline. */
  oneAtATime: boolean;
  /** Whether work that ignored a failed statement threw this error deliberately. */
  isRefusal(error: unknown): boolean;
}

/**
 * Runs `work` in a transaction on its own connection. It has committed when this resolves; a failed statement fails the transaction, even
 * if `work` ignored it. Once it has ended, its handle refuses statements: on a connection that is used by another transaction by then, a
 * late one would run there.
 */
export async function runTransaction<T>(pool: Pool, rules: TransactionRules, work: (sender: Sender) => Promise<T>): Promise<T> {
  const client = await pool.acquire();
  let isOver = false;
  let isUsable = false;
  let inProgress = 0;
  let committing: Promise<void> | null = null;
  const scope: Scope = {
    client,
    send: pool.send,
    isRefusal: rules.isRefusal,
    probe(text) {
      scope.stillOpen();
      rules.probe?.(text);
    },
    async alone(work) {
      if (rules.oneAtATime && inProgress > 0)
        throw new Error("a statement came while another one of its transaction was under way: use `pipeline`");
      inProgress += 1;
      return await work().finally(() => {
        inProgress -= 1;
      });
    },
    stillOpen() {
      if (isOver || committing !== null) throw new Error("a statement came after its transaction had ended");
    },
    commit() {
      committing = commit(client);
      // The caller of the transaction gets this error.
      committing.catch(() => {});
    },
  };
  try {
    // The first statements are sent with BEGIN, because handing bytes to the kernel costs more than their content.
    const [beginning, working] = corked(client, () => [control(client, pool.begin), runScope(scope, work)] as const);
    const result = await working;
    await beginning;
    await (committing ?? commit(client));
    isUsable = true;
    return result;
  } catch (thrown) {
    if (committing !== null) await noteUnknown(committing, thrown);
    isUsable = commitOf(client) === null && (await rollBack(client));
    throw withCode(thrown);
  } finally {
    isOver = true;
    release(client, isUsable);
  }
}

/** A COMMIT that its request no longer waits for keeps its connection until it has a response: the server is still busy with it. */
function release(client: Client, isUsable: boolean): void {
  const committing = commitOf(client);
  if (committing === null) client.release(!isUsable || isCut(client));
  else void committing.then(() => client.release(true));
}

/** Whether the connection can be used again. */
function rollBack(client: Client): Promise<boolean> {
  return control(client, "rollback").then(
    () => true,
    () => false,
  );
}

interface Scope {
  client: Client;
  send: Pool["send"];
  isRefusal: TransactionRules["isRefusal"];
  probe(text: string): void;
  stillOpen(): void;
  /** Sends the COMMIT after the statements sent so far. */
  commit(): void;
  /** Runs what sends one statement, or those of a pipeline. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** State between the start of a transaction or savepoint and its end. */
async function runScope<T>(scope: Scope, work: (sender: Sender) => Promise<T>): Promise<T> {
  const failures: unknown[] = [];
  const send = async <Row>(written: Written): Promise<Answer<Row>> => {
    // One that was recorded in time may be awaited too late.
    scope.stillOpen();
    return await scope.send<Row>(scope.client, written);
  };
  const noted = <A>(answer: Promise<A>): Promise<A> => {
    answer.catch((error: unknown) => failures.push(error));
    return answer;
  };
  const sendAll = (statements: readonly Written[], behind = () => {}): Promise<Answer<unknown>>[] => {
    const answers = corked(scope.client, () => {
      const sent = statements.map((written) => noted(send(written)));
      behind();
      return sent;
    });
    noted(scope.alone(() => Promise.allSettled(answers))).catch(() => {});
    return answers;
  };
  const sender: Sender = {
    probe: scope.probe,
    send: <Row>(written: Written) => noted(scope.alone(() => send<Row>(written))),
    sendAll: (statements) => sendAll(statements),
    sendLast: (statements) => sendAll(statements, scope.commit),
    savepoint: (inner) => runSavepoint(scope, inner),
  };
  const result = await work(sender).catch((thrown: unknown) => {
    // Every error after a failed statement is a consequence of it.
    throw failures.length === 0 || scope.isRefusal(thrown) ? thrown : failures[0];
  });
  if (failures.length > 0) throw failures[0];
  return result;
}

async function runSavepoint<T>(scope: Scope, work: (sender: Sender) => Promise<T>): Promise<T> {
  scope.stillOpen();
  void control(scope.client, "savepoint inside");
  try {
    const value = await runScope(scope, work);
    await control(scope.client, "release savepoint inside");
    return value;
  } catch (error) {
    await control(scope.client, "rollback to savepoint inside");
    await control(scope.client, "release savepoint inside");
    throw error;
  }
}

const unanswered = new WeakSet<object>();

/** True for the error of a transaction whose COMMIT was sent without a response: it may have taken effect, or still take effect. */
export function isCommitUnknown(error: unknown): boolean {
  return typeof error === "object" && error !== null && unanswered.has(error);
}

/** A COMMIT that was sent together with statements may have taken effect even if their results were lost. */
async function noteUnknown(committing: Promise<void>, thrown: unknown): Promise<void> {
  const isUnknown = await committing.then(() => false, isCommitUnknown);
  if (isUnknown && typeof thrown === "object" && thrown !== null) unanswered.add(thrown);
}

/** PostgreSQL responds to a COMMIT after a failed statement with ROLLBACK, without an error. */
async function commit(client: Client): Promise<void> {
  const command = await waitApart(() => control(client, "commit")).catch((error: unknown) => {
    // The server may have closed the connection after the commit.
    const isRefused = error instanceof pg.DatabaseError && error.severity === "ERROR";
    if (!isRefused && error instanceof Error) unanswered.add(error);
    throw error;
  });
  if (command !== "COMMIT") throw new Error(`the transaction was not committed: the database answered ${command}`);
}

/** Hands all writes of `work` to the kernel at once. */
function corked<T>(client: Client, work: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return work();
  } finally {
    stream.uncork();
  }
}

/** Not awaited, so that the next statement can follow immediately; a failure shows in that one, and must not end the process. */
function control(client: Client, text: string): Promise<string> {
  const answer = client.query(text).then(({ command }) => command);
  answer.catch(() => {});
  return answer;
}
