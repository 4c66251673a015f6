import type { Client, Pool } from "./connect.ts";
import { withCode } from "./faults.ts";
import type { Sender } from "./statement.ts";

/**
 * Runs `work` in a transaction on a connection of its own. It has committed when this resolves; a statement that failed fails the transaction, also when `work`
 * passed over it. Once it has ended, its handle refuses: on a connection that was lost meanwhile and serves somebody else, a late statement would run in theirs.
 */
export async function runTransaction<T>(pool: Pool, probe: Sender["probe"], work: (sender: Sender) => Promise<T>): Promise<T> {
  const client = await pool.acquire();
  let isOver = false;
  let isUsable = false;
  const scope: Scope = {
    client,
    send: pool.send,
    probe(text) {
      scope.stillOpen();
      probe?.(text);
    },
    stillOpen() {
      if (isOver) throw new Error("a statement came after its transaction had ended");
    },
  };
  try {
    const begun = control(client, pool.begin);
    const result = await runScope(scope, work);
    await begun;
    await commit(client);
    isUsable = true;
    return result;
  } catch (thrown) {
    isUsable = await control(client, "rollback").then(
      () => true,
      () => false,
    );
    throw withCode(thrown);
  } finally {
    isOver = true;
    client.release(!isUsable);
  }
}

interface Scope {
  client: Client;
  send: Pool["send"];
  probe(text: string): void;
  stillOpen(): void;
}

/** What stands between the start of a transaction or savepoint and its end. */
async function runScope<T>(scope: Scope, work: (sender: Sender) => Promise<T>): Promise<T> {
  const failures: unknown[] = [];
  const result = await work({
    probe: scope.probe,
    async send(written) {
      // One that was written in time may be awaited too late.
      scope.stillOpen();
      try {
        return await scope.send(scope.client, written);
      } catch (error) {
        failures.push(error);
        throw error;
      }
    },
    savepoint: (inner) => runSavepoint(scope, inner),
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

/** PostgreSQL answers a COMMIT after a failed statement without an error: with ROLLBACK. */
async function commit(client: Client): Promise<void> {
  const command = await control(client, "commit");
  if (command !== "COMMIT") throw new Error(`the transaction was not committed: the database answered ${command}`);
}

/** Not awaited where the next statement may follow at once; a failure then shows in that one, and must not end the process. */
function control(client: Client, text: string): Promise<string> {
  const answer = client.query(text).then(({ command }) => command);
  answer.catch(() => {});
  return answer;
}
