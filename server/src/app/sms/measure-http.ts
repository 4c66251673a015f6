import { Counter, Histogram, type Registry } from "prom-client";
import type { HttpTransport } from "#providers/telephony/twilio/sms/create-http-transport.ts";
import { showEach } from "../show-each.ts";

/** Counts the results of handing messages to carriers over HTTP, and measures how long they take. */
export function countHttpSubmits(registry: Registry): (account: string, result: string, seconds: number) => void {
  const submits = new Counter({
    name: "tillpost_sms_http_submits_total",
    help: "Messages sent to a carrier over HTTP, by result: accepted, deferred, refused, held or unknown.",
    labelNames: ["account", "result"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "tillpost_sms_http_submit_seconds",
    help: "Time from a request to the carrier's response, or until it counted as lost.",
    labelNames: ["account"],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  return (account, result, seconds) => {
    submits.labels(account, result).inc();
    durations.labels(account).observe(seconds);
  };
}

/** Measures each account's state for each scrape. */
export function measureAccounts(registry: Registry, transport: Pick<HttpTransport, "accounts">): void {
  const show = showEach({ registry, label: "account", list: () => transport.accounts() });
  show("tillpost_sms_http_account_up", "1 while messages are sent to the account; 0 while it's paused.", ({ isUp }) => (isUp ? 1 : 0));
  show("tillpost_sms_http_window", "Maximum number of concurrent requests.", ({ window }) => window);
  show("tillpost_sms_http_window_in_use", "Requests waiting for the carrier's response.", ({ inUse }) => inUse);
}
