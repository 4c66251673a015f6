import { Counter, Histogram, type Registry } from "prom-client";
import type { SmppTransport } from "#providers/sms/smpp/create-smpp-transport.ts";
import { showEach } from "../show-each.ts";

/** Counts carriers' responses, and measures how long they take. `answer` is `accepted`, `lost`, or the carrier's status. */
export function countSubmits(registry: Registry): (bind: string, status: number | null, seconds: number) => void {
  const submits = new Counter({
    name: "tillpost_smpp_submits_total",
    help: "Message parts sent to a carrier, by its response: accepted, lost, or its command_status in hexadecimal digits.",
    labelNames: ["bind", "answer"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "tillpost_smpp_submit_seconds",
    help: "Time from a submit to the carrier's response, or until it counted as lost.",
    labelNames: ["bind"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  return (bind, status, seconds) => {
    const answer = status === null ? "lost" : status === 0 ? "accepted" : `0x${status.toString(16).padStart(8, "0")}`;
    submits.labels(bind, answer).inc();
    durations.labels(bind).observe(seconds);
  };
}

/** Measures each bind's state for each scrape. */
export function measureBinds(registry: Registry, transport: Pick<SmppTransport, "binds">): void {
  const show = showEach({ registry, label: "bind", list: () => transport.binds() });
  show("tillpost_smpp_bind_up", "1 while the bind is up.", ({ isUp }) => (isUp ? 1 : 0));
  show("tillpost_smpp_window", "Maximum number of submits waiting for the carrier's response.", ({ window }) => window);
  show("tillpost_smpp_window_in_use", "Submits waiting for the carrier's response.", ({ inUse }) => inUse);
}
