import type { ChildProcess } from "node:child_process";

/** The next message of a program; fails if it ends instead, so that no one waits for a program that is gone. */
export function answerOf<T>(program: ChildProcess): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onExit = (code: number | null, signal: string | null) =>
    reject(new Error(`a measuring program ended without an answer (${signal ?? code})`));
  const onError = (error: Error) => reject(error);
  program
    .once("message", resolve as (message: unknown) => void)
    .once("exit", onExit)
    .once("error", onError);
  return promise.finally(() => program.off("exit", onExit).off("error", onError).off("message", resolve));
}
