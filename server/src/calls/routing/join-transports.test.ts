import { expect, test } from "vitest";
import type { CallEnd, CallHandlers, CallTransport, OutgoingCall } from "../transport.ts";
import { joinTransports } from "./join-transports.ts";

const end: CallEnd = { status: "busy", sip_code: null, reason: null, hangup_by: null, error: null };

/** A way out that keeps what it is given. */
function way(name: string, countries: string[], channels = 1) {
  const dialed: CallHandlers[] = [];
  const transport: CallTransport & { isOpen: boolean } = {
    name,
    channels,
    isOpen: true,
    takes: (country) => countries.includes(country),
    dial: (_call, handlers) => {
      dialed.push(handlers);
      return { hangUp: () => undefined };
    },
    close: async () => undefined,
  };
  return { transport, dialed };
}

test("a call takes the first transport that serves its country, is open and has a line free", () => {
  const [sip, http] = [way("sip", ["US", "DE"]), way("http", ["US", "CN"], 2)];
  const joined = joinTransports([sip.transport, http.transport]);
  const names = () => ["US", "DE", "CN", "FR"].map((country) => joined.route?.(country).name);
  expect([joined.channels, joined.takes("CN"), joined.takes("FR"), names()]).toEqual([3, true, false, ["sip", "sip", "http", "sip"]]);
  const ended: string[] = [];
  const handlers = { ended: (given: CallEnd) => void ended.push(given.status) } as unknown as CallHandlers;
  joined.dial({ country: "US" } as OutgoingCall, handlers);
  // Its line is taken; who takes no other way waits for its answer.
  expect(names()).toEqual(["http", "sip", "http", "sip"]);
  sip.dialed[0]?.ended(end, new Date());
  expect([ended, names()]).toEqual([["busy"], ["sip", "sip", "http", "sip"]]);
  sip.transport.isOpen = false;
  expect([joined.isOpen, names()]).toEqual([true, ["http", "sip", "http", "sip"]]);
  http.transport.isOpen = false;
  expect(joined.isOpen).toBe(false);
});
