import type { SimulatorDocuments } from "./simulator.ts";

/** A simulator's documents, stored while its process runs. */
export function memoryDocuments(): SimulatorDocuments {
  const kinds = new Map<string, Map<string, string>>();
  const kindOf = (kind: string): Map<string, string> => {
    const known = kinds.get(kind) ?? new Map<string, string>();
    kinds.set(kind, known);
    return known;
  };
  return {
    async get(kind, key) {
      const text = kindOf(kind).get(key);
      return text === undefined ? null : JSON.parse(text);
    },
    async put(kind, key, value) {
      kindOf(kind).set(key, JSON.stringify(value));
    },
    list: async (kind) => [...kindOf(kind).values()].map((text) => JSON.parse(text)),
  };
}
