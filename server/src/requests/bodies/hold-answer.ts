import type { FastifyReply } from "fastify";
import { platformErrors } from "#platform/index.ts";
import type { HttpSettings } from "../runtime.ts";
import { createByteBudget, type Load } from "./byte-budget.ts";
import { smallBytesMax } from "./spool-body.ts";

/** Large responses that are created or sent at the same time; creating one takes about three times its size. */
const heldBytesMax = 48 * 1024 * 1024;
/** How much more, for projects that would otherwise wait for another's clients to read. */
const reservedBytes = heldBytesMax / 2;
const usualWaitMs = 30_000;
/** A client that hasn't read a response by then is disconnected, because others wait for the room. */
const readMs = 60_000;

/** Waits until there is room for a response of this size, in the project's share. Throws concurrency_limited. */
export type TakeRoom = (reply: FastifyReply, load: Load) => Promise<void>;

/**
 * Creates the function that a route calls before a large response: it waits for room, and releases it when the response is sent or the
 * client is gone.
 */
export function createAnswerRoom({ answerWaitMs = usualWaitMs }: Pick<HttpSettings, "answerWaitMs">): TakeRoom {
  const budget = createByteBudget({ usual: heldBytesMax, reserved: reservedBytes, waitMs: answerWaitMs });
  return async (reply, { project_id, bytes }) => {
    if (bytes <= smallBytesMax) return;
    const held = { project_id, bytes: Math.min(bytes, heldBytesMax) };
    if (!(await budget.take(held))) {
      throw platformErrors.concurrency_limited({ message: "Too many large responses at the same time.", headers: { "retry-after": "5" } });
    }
    const timer = setTimeout(() => reply.raw.destroy(), readMs);
    let given = false;
    const release = () => {
      if (given) return;
      given = true;
      clearTimeout(timer);
      budget.give(held);
    };
    if (reply.raw.closed) {
      release();
      // No one reads the error, and what the caller would create now has no room.
      throw platformErrors.concurrency_limited({ message: "The client is gone." });
    }
    reply.raw.once("finish", release).once("close", release);
  };
}
