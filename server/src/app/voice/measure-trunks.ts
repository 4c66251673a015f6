import type { Registry } from "prom-client";
import type { SipTransport } from "#providers/voice/sip/create-sip-transport.ts";
import { showEach } from "../show-each.ts";

/** Measures each trunk's state for each scrape. */
export function measureTrunks(registry: Registry, transport: Pick<SipTransport, "trunks">): void {
  const show = showEach({ registry, label: "trunk", list: () => transport.trunks() });
  show("tillpost_sip_trunk_up", "0 while the trunk is known not to accept calls; the log says why.", ({ fault }) =>
    fault === null ? 1 : 0,
  );
  show("tillpost_sip_channels", "Maximum number of concurrent calls on the trunk.", ({ channels }) => channels);
  show("tillpost_sip_channels_in_use", "Calls in progress on the trunk.", ({ calls }) => calls);
}
