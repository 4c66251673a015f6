import { createHash } from "node:crypto";

interface Weighed {
  name: string;
  weight: number;
}

/**
 * Transports for a message, the preferred one first: by weighted rendezvous hashing, so that each gets its weight's share of messages, and
 * losing one moves only its own messages. Transports without weight are left out.
 */
export function rankByWeight<One>(candidates: readonly One[], id: string, of: (candidate: One) => Weighed): One[] {
  const scored = candidates.map((candidate) => ({ candidate, ...of(candidate) })).filter(({ weight }) => weight > 0);
  return scored
    .map(({ candidate, name, weight }) => ({ candidate, score: -weight / Math.log(drawn(name, id)) }))
    .toSorted((one, other) => other.score - one.score)
    .map(({ candidate }) => candidate);
}

/** Between 0 and 1, the same for the same two inputs. */
function drawn(name: string, id: string): number {
  return (createHash("sha256").update(`${name}\0${id}`).digest().readUInt32BE(0) + 1) / 4_294_967_298;
}
