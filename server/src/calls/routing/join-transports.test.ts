import { expect, test } from "vitest";
import type { CallTransport, OutgoingCall } from "../transport.ts";
import { joinTransports } from "./join-transports.ts";

/** A transport with some lines. */
function way(name: string, countries: string[], channels = 1) {
  let calls = 0;
  const transport: CallTransport & { isOpen: boolean } = {
    name,
    channels,
    isOpen: true,
    takes: (country) => countries.includes(country),
    countFree() {
      let left = channels - calls;
      return () => left-- > 0;
    },
    async reserve(call) {
      if (calls >= channels) return null;
      calls += 1;
      return { name, release: () => void (calls -= 1), dial: (_one, handlers) => transport.dial(call, handlers) };
    },
    dial: () => ({ hangUp: () => undefined }),
    close: async () => undefined,
  };
  return transport;
}

test("a call takes the first transport that serves its country, is open and has a line free", async () => {
  const [sip, http] = [way("sip", ["US", "DE"]), way("http", ["US", "CN"], 2)];
  const joined = joinTransports([sip, http]);
  const reserve = (country: string) => joined.reserve?.({ country } as OutgoingCall, new AbortController().signal);
  const take = async (...countries: string[]) => {
    const lines = [];
    for (const country of countries) lines.push(await reserve(country));
    for (const line of lines) line?.release();
    return lines.map((line) => line?.name ?? null);
  };
  const count = (...countries: string[]) => {
    const takeFree = joined.countFree?.();
    return countries.map((country) => takeFree?.(country));
  };
  expect([joined.channels, joined.takes("CN"), joined.takes("FR")]).toEqual([3, true, false]);
  // A call waits if each one that serves its country is full, and is counted where it would go.
  const calls = ["US", "DE", "US", "US", "US", "FR"];
  expect(await take(...calls)).toEqual(["sip", null, "http", "http", null, null]);
  expect(count(...calls)).toEqual([true, false, true, true, false, false]);
  expect(await take("CN", "US", "US", "US")).toEqual(["http", "sip", "http", null]);
  sip.isOpen = false;
  expect([joined.isOpen, await take("US", "DE"), count("US", "DE")]).toEqual([true, ["http", null], [true, false]]);
  http.isOpen = false;
  expect([joined.isOpen, await take("US")]).toEqual([false, [null]]);
});
