import type { SimulatedFault, SimulatorWorld } from "./simulator.ts";

/** Stores the fault of the next request to a simulator's API. */
export function putFault(world: SimulatorWorld, fault: SimulatedFault): Promise<void> {
  return world.documents.put("fault", "next", fault);
}

/** The fault of this request, which no later one has; null if it has none. A lost response waits for a request that changes something. */
export async function takeFault(world: SimulatorWorld, { method }: Pick<Request, "method">): Promise<SimulatedFault | null> {
  const fault = await world.documents.get<SimulatedFault>("fault", "next");
  if (fault === null || (fault === "lost_answer" && method === "GET")) return null;
  await world.documents.put("fault", "next", null);
  return fault;
}

/** What `fetch` rejects with if there is no connection, or if it ends without a response. */
export function connectionError(fault: "refused" | "lost_answer"): TypeError {
  const code = fault === "refused" ? "ECONNREFUSED" : "ECONNRESET";
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

/** A response that isn't the provider's, such as that of a proxy in between. */
export function garbageAnswer(): Response {
  return new Response("<html><body>502 Bad Gateway</body></html>", { status: 200, headers: { "content-type": "text/html" } });
}
