import { describe, expect, test } from "vitest";
import { BindFaults, readBinds } from "./read-binds.ts";

const usual = {
  port: 2775,
  tls: false,
  systemType: "",
  window: 10,
  tps: 10,
  countries: [],
  weight: 1,
  shortCodes: { ton: 3, npi: 0 },
  alphabet: "gsm7",
  zoneMinutes: 0,
};

test("binds are read with defaults for what each omits", () => {
  const text =
    "smpp://acme:s%40crt@smsc.example:2776?name=main&window=20&tps=50&countries=86,1&weight=3, smpps://acme:pass@other.example?receipt_zone=%2B08:00&alphabet=latin1&short_code_ton=0,smpp://a:b@[::1]";
  expect(readBinds(text)).toEqual([
    {
      ...usual,
      name: "main",
      host: "smsc.example",
      port: 2776,
      systemId: "acme",
      password: "s@crt",
      window: 20,
      tps: 50,
      countries: ["86", "1"],
      weight: 3,
    },
    {
      ...usual,
      name: "other.example",
      host: "other.example",
      port: 3550,
      tls: true,
      systemId: "acme",
      password: "pass",
      zoneMinutes: 480,
      alphabet: "latin1",
      shortCodes: { ton: 0, npi: 0 },
    },
    { ...usual, name: "::1", host: "::1", systemId: "a", password: "b" },
  ]);
});

const secret = "s3cr3t";
const faultsOf = (text: string): readonly string[] => {
  try {
    readBinds(text);
    return [];
  } catch (error) {
    return (error as BindFaults).faults;
  }
};

describe("a bind is refused", () => {
  test.each([
    ["without an address", "nothing", "can't be read"],
    ["with a password that isn't encoded", `smpp://a:${secret}/x@host`, "can't be read"],
    ["with a part of the password behind a hash", `smpp://a:${secret}#x@host`, "can't be read"],
    ["of another protocol", `http://a:${secret}@host`, "can't be read"],
    ["without a system_id", "smpp://host", "names no system_id"],
    ["with a system_id that is too long", `smpp://${"a".repeat(16)}:${secret}@host`, "system_id of more than 15"],
    ["with a password beyond ASCII", `smpp://a:${secret}%C3%A9@host`, "password of more than 64 characters, or with others than ASCII"],
    ["with broken encoding", `smpp://a:${secret}%zz@host`, "isn't percent-encoded"],
    ["with a window of nothing", `smpp://a:${secret}@host?window=0`, "window from 1 to 1000"],
    ["with a rate that is no number", `smpp://a:${secret}@host?tps=fast`, "tps from 1 to 10000"],
    ["with a weight of nothing", `smpp://a:${secret}@host?weight=0`, "weight from 1 to 1000"],
    ["with countries that are none", `smpp://a:${secret}@host?countries=China`, "countries such as"],
    ["with an alphabet that nobody knows", `smpp://a:${secret}@host?alphabet=ebcdic`, "alphabet of gsm7"],
    ["with a time zone that is none", `smpp://a:${secret}@host?receipt_zone=CET`, "receipt_zone such as"],
    ["with a name that can't be one", `smpp://a:${secret}@host?name=a%20b`, "needs a name"],
    ["with a parameter that nobody knows", `smpp://a:${secret}@host?${secret}=1`, "has a parameter that isn't one of"],
    ["with a parameter twice", `smpp://a:${secret}@host?tps=1&tps=2`, "has a parameter twice"],
    ["with a path", `smpp://a:${secret}@host/x`, "more behind the host"],
    ["with the name of another", `smpp://a:${secret}@host,smpp://b:${secret}@host`, "bind 2 has the name of bind 1"],
  ])("%s", (_what, text, fault) => {
    expect(faultsOf(text).join("\n")).toContain(fault);
    expect(faultsOf(text).join("\n")).not.toContain(secret);
  });

  test("with all of its faults together", () => {
    expect(faultsOf(`smpp://a:${secret}@host?window=0&tps=0,nothing,smpp://host2`)).toHaveLength(3);
    expect(faultsOf(`smpp://a:${secret}@host?window=0&tps=0,smpp://host2`)).toHaveLength(3);
    expect(() => readBinds("smpp://host")).toThrow(BindFaults);
  });
});
