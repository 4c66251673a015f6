import { expect, test } from "vitest";
import { type Reach, reachesNumber } from "#messaging/index.ts";
import type { CallLine, CallTransport, OutgoingCall } from "../transport.ts";
import { joinTransports } from "./join-transports.ts";

/** A transport with some lines. */
function way(name: string, reach: Reach, channels = 1) {
  let calls = 0;
  const transport: CallTransport & { isOpen: boolean } = {
    name,
    channels,
    isOpen: true,
    takes: (number) => reachesNumber(reach, number),
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

const numbers: Readonly<Record<string, string>> = { US: "+14155552671", DE: "+4915112345678", CN: "+8613800138000", FR: "+33612345678" };
const to = (country: string) => ({ to: numbers[country] ?? "", country });

test("a call takes the first transport that serves its number, is open and has a line free", async () => {
  const [sip, http] = [way("sip", ["US", "DE"]), way("http", ["US", "CN"], 2)];
  const joined = joinTransports([sip, http]);
  const reserve = (country: string) => joined.reserve?.(to(country) as OutgoingCall, new AbortController().signal);
  const take = async (...countries: string[]) => {
    const lines = [];
    for (const country of countries) lines.push(await reserve(country));
    for (const line of lines) line?.release();
    return lines.map((line) => line?.name ?? null);
  };
  const count = (...countries: string[]) => {
    const takeFree = joined.countFree?.();
    return countries.map((country) => takeFree?.(to(country)));
  };
  expect([joined.channels, joined.takes(to("CN")), joined.takes(to("FR"))]).toEqual([3, true, false]);
  // A call waits if each one that serves its number is full, and is counted where it would go.
  const calls = ["US", "DE", "US", "US", "US", "FR"];
  expect(await take(...calls)).toEqual(["sip", null, "http", "http", null, null]);
  expect(count(...calls)).toEqual([true, false, true, true, false, false]);
  expect(await take("CN", "US", "US", "US")).toEqual(["http", "sip", "http", null]);
  sip.isOpen = false;
  expect([joined.isOpen, await take("US", "DE"), count("US", "DE")]).toEqual([true, ["http", null], [true, false]]);
  http.isOpen = false;
  expect([joined.isOpen, await take("US")]).toEqual([false, [null]]);
});

test("a transport that can't carry a call leaves it to another one, and says why only if no other serves its number", async () => {
  const call = { to: "+14155552671", country: "US" } as OutgoingCall;
  let [isKnown, released] = [false, 0];
  const line: CallLine = {
    ...{ name: "sip", isUnusable: true, release: () => void (released += 1) },
    dial: () => ({ hangUp: () => undefined }),
  };
  const sip = { ...way("sip", ["US"]), countFree: () => () => true, canCarry: () => !isKnown, reserve: async () => line };
  const http = way("http", ["US"]);
  const joined = joinTransports([sip, http]);
  const reserve = async () => (await joined.reserve?.(call, new AbortController().signal)) ?? null;
  const held = await reserve();
  expect([held?.name, released]).toEqual(["http", 1]);
  // The other one is only full: the call waits for it.
  expect([await reserve(), released]).toEqual([null, 2]);
  isKnown = true;
  expect([await reserve(), released, joined.countFree?.()(call)]).toEqual([null, 2, false]);
  held?.release();
  expect([(await reserve())?.name, released]).toEqual(["http", 2]);
  http.isOpen = false;
  expect([await reserve(), released, joined.countFree?.()(call)]).toEqual([line, 2, true]);
});

test("a transport for a prefix leaves the other numbers of the country to the next transport", async () => {
  const [sip, http] = [way("sip", ["1876"]), way("http", [])];
  const joined = joinTransports([sip, http]);
  const reserve = async (call: object) => (await joined.reserve?.(call as OutgoingCall, new AbortController().signal))?.name;
  const jamaican = { to: "+18765551234", country: "JM" };
  expect(joined.countFree?.()(to("US"))).toBe(true);
  expect([await reserve(to("US")), await reserve(jamaican), await reserve(to("US"))]).toEqual(["http", "sip", undefined]);
  const only = joinTransports([way("sip", ["1876"])]);
  expect([only.takes(to("US")), only.takes(jamaican)]).toEqual([false, true]);
});

test("a recording at a carrier is found by the transport whose account has it", async () => {
  const file = { download: async () => Promise.reject(new Error("unused")), remove: async () => undefined };
  const asked: string[] = [];
  const findRecording: CallTransport["findRecording"] = async ({ provider }) => {
    asked.push(provider);
    return file;
  };
  const joined = joinTransports([way("sip", ["US"]), { ...way("http", ["US"]), findRecording }]);
  const copy = { call_sid: "CA1", channels: 1 as const };
  expect(await joined.findRecording?.({ ...copy, provider: "http:main" })).toBe(file);
  await expect(joined.findRecording?.({ ...copy, provider: "sip:main" })).rejects.toThrow("no account is set up for sip:main");
  expect(asked).toEqual(["http:main"]);
});
