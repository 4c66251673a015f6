import type { TransportBoard, TransportNotes } from "#messaging/index.ts";
import type { SipTransport } from "#providers/voice/sip/create-sip-transport.ts";
import type { TrunkConfig } from "#providers/voice/sip/trunk/config.ts";

type Watched = Pick<TrunkConfig, "name" | "ping" | "register">;

/** Puts each trunk of a transport on this process's transport board. */
export function watchTrunks(board: TransportBoard, transport: Pick<SipTransport, "trunks">, trunks: readonly Watched[]): void {
  for (const trunk of trunks) {
    const seen = { fault: null as string | null };
    const notes: TransportNotes = board.add({ channel: "call", name: `sip:${trunk.name}`, kind: "sip" }, () => {
      const state = transport.trunks().find(({ name }) => name === trunk.name);
      if (state === undefined) return { inFlight: 0, capacity: null };
      const { fault, calls, channels, started, failed } = state;
      if (fault !== null && fault !== seen.fault) notes.down(fault);
      // A trunk without pings or registration shows nothing before its first call.
      else if (fault === null && (trunk.ping || trunk.register || started > 0)) notes.up();
      seen.fault = fault;
      return { inFlight: calls, capacity: channels, total: { handed: started - failed, failed } };
    });
  }
}
