import { Counter, type Registry } from "prom-client";
import type { VoiceTransport } from "#providers/telephony/twilio/voice/create-voice-transport.ts";
import { showEach } from "../show-each.ts";

/** Counts the results of requests to HTTP carriers to place calls. */
export function countVoiceRequests(registry: Registry): (account: string, result: string) => void {
  const requests = new Counter({
    name: "tillpost_voice_http_requests_total",
    help: "Calls that a carrier was asked to place over HTTP, by result: done, deferred, refused, held or unknown.",
    labelNames: ["account", "result"],
    registers: [registry],
  });
  return (account, result) => requests.labels(account, result).inc();
}

/** Measures each account's state for each scrape. */
export function measureVoiceAccounts(registry: Registry, transport: Pick<VoiceTransport, "accounts">): void {
  const show = showEach({ registry, label: "account", list: () => transport.accounts() });
  show("tillpost_voice_http_channels", "Maximum number of concurrent calls on the account.", ({ channels }) => channels);
  show("tillpost_voice_http_channels_in_use", "Calls in progress on the account.", ({ calls }) => calls);
}
