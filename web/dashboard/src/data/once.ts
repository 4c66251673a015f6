import { ApiError, type PlainInput } from "@tillpost/sdk";
import { useRef } from "react";
import { newKey } from "./new-key.ts";

/**
 * Sends a request so that repeating it does it once: its `Idempotency-Key` stays the same until it succeeds or its content changes. If no
 * response came, the error says that it may have been done.
 */
export function useOnce() {
  const held = useRef<{ content: string; key: string } | null>(null);
  return async <T>(input: PlainInput, send: (input: PlainInput) => Promise<T>): Promise<T> => {
    const content = JSON.stringify([input.path, input.body]);
    const own = held.current?.content === content ? held.current : { content, key: newKey() };
    held.current = own;
    const answer = await send({ ...input, idempotencyKey: own.key }).catch((error: unknown) => {
      throw maybeDone(error);
    });
    held.current = null;
    return answer;
  };
}

/** The error of a request without an own response of the server, such as a broken connection or a proxy's timeout. */
function maybeDone(error: unknown): unknown {
  if (!(error instanceof ApiError) || (error.code !== "network_unreachable" && error.code !== "unknown_answer")) return error;
  const { status, code, message } = error;
  return new ApiError({ status, code, message, cause: error, fields: { reason: "maybe_done" } });
}
