import { expect, test } from "vitest";
import { reachesNumber } from "#messaging/index.ts";
import { chooseBind, hasRoute } from "./choose-bind.ts";
import { readBinds } from "./settings/read-binds.ts";

const bind = (name: string, more: string, { isUp = true, rests = false } = {}) => ({
  settings: readBinds(`smpp://a:b@host?name=${name}&${more}`)[0]!,
  isUp,
  restsUntil: () => (rests ? new Date(0) : null),
});
const to = (number: string, country: string, { id = "sms_1", firstPartsBy = null as string | null, turn = 0 } = {}) => ({
  sms_id: id,
  to: number,
  country,
  firstPartsBy,
  turn,
});
const chosen = (...given: Parameters<typeof chooseBind>) => chooseBind(...given)?.settings.name ?? null;

test.each([
  ["", "+4915112345678", "DE", true],
  ["countries=86,1", "+8613800138000", "CN", true],
  ["countries=86,1", "+14155552671", "US", true],
  ["countries=86,1", "+16135550142", "CA", true],
  ["countries=86,1", "+4915112345678", "DE", false],
  ["countries=1876", "+18765551234", "JM", true],
  ["countries=1876", "+14155552671", "US", false],
  ["countries=DE", "+4915112345678", "DE", true],
  ["countries=DE", "+436641234567", "AT", false],
])("a bind with %s carries to %s in %s: %s", (more, number, country, carries) => {
  expect(reachesNumber(bind("b", more || "tps=1").settings.countries, { to: number, country })).toBe(carries);
});

test("a message goes through a bind for its number's prefix or country", () => {
  const binds = [bind("china", "countries=86"), bind("germany", "countries=DE"), bind("jamaica", "countries=1876")];
  expect(chosen(binds, to("+8613800138000", "CN"))).toBe("china");
  expect(chosen(binds, to("+4915112345678", "DE"))).toBe("germany");
  expect(chosen(binds, to("+18765551234", "JM"))).toBe("jamaica");
  expect(hasRoute(binds, to("+15551234567", "US"))).toBe(false);
});

test("weights distribute messages, each keeps its bind, and one that is down only gives away its own", () => {
  const [heavy, light] = [bind("heavy", "weight=3"), bind("light", "weight=1")];
  const ids = Array.from({ length: 4_000 }, (_, index) => to("+4915112345678", "DE", { id: `sms_${index}` }));
  const first = ids.map((one) => chosen([heavy, light], one));
  expect(first).toEqual(ids.map((one) => chosen([light, heavy], one)));
  const share = first.filter((name) => name === "heavy").length / ids.length;
  expect(Math.abs(share - 0.75)).toBeLessThan(0.03);
  const third = bind("third", "weight=2");
  for (const [index, one] of ids.entries()) expect([first[index], "third"]).toContain(chosen([heavy, light, third], one));
});

test("no bind is chosen that is down or requested a slower pace, and what was sent in parts waits for its own", () => {
  const [up, down, tired] = [bind("up", "tps=1"), bind("down", "tps=1", { isUp: false }), bind("tired", "tps=1", { rests: true })];
  expect(chosen([down, tired], to("+4915112345678", "DE"))).toBeNull();
  expect(chosen([up, down, tired], to("+4915112345678", "DE"))).toBe("up");
  expect(chosen([up, down, tired], to("+4915112345678", "DE", { firstPartsBy: "smpp:down" }))).toBeNull();
  expect(chosen([up, down, tired], to("+4915112345678", "DE", { firstPartsBy: "smpp:gone" }))).toBe("up");
});

test("each further attempt goes through the next bind, and what was sent in parts stays with its own", () => {
  const binds = [bind("one", "tps=1"), bind("two", "tps=1"), bind("three", "tps=1")];
  const number = "+4915112345678";
  const names = [0, 1, 2, 3].map((turn) => chosen(binds, to(number, "DE", { turn })));
  expect([new Set(names).size, names[3]]).toEqual([3, names[0]]);
  for (const turn of [0, 1, 2]) expect(chosen(binds, to(number, "DE", { turn, firstPartsBy: "smpp:two" }))).toBe("two");
});
