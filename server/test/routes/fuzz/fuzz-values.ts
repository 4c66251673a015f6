/** Random choices that a seed repeats exactly. */
export interface Dice {
  /** A number from 0 up to, not including, `below`. */
  roll(below: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32: small, and the same on every machine. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
  return {
    roll: (below) => Math.floor(next() * below),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)] as never,
  };
}

const zs = "z".repeat(26);

/** Texts that have broken something somewhere. */
export const oddTexts: readonly string[] = [
  "",
  " ",
  "\t",
  "\n",
  "null",
  "undefined",
  "true",
  "NaN",
  "Infinity",
  "-0",
  "0",
  "-1",
  "1e400",
  "1e-400",
  "9007199254740993",
  "99999999999999999999",
  "0x10",
  "１２",
  "1,5",
  "\u0000",
  "a\u0000b",
  "\u0007",
  "\u202eabc",
  "\ufeff",
  "\ufffe",
  "é".normalize("NFD"),
  "😀",
  "中文",
  "a".repeat(65),
  "a".repeat(201),
  "a".repeat(501),
  "a".repeat(3000),
  "𝕏".repeat(300),
  "../../etc/passwd",
  "..%2f..%2f",
  "%00",
  "%ff",
  "%",
  "%zz",
  "'; drop table orders; --",
  "' or 1=1 --",
  "{{7*7}}",
  "${7*7}",
  "<script>alert(1)</script>",
  "\r\nset-cookie: a=b",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "[object Object]",
  "ord_",
  `ord_${zs}`,
  `ord_${"0".repeat(26)}`,
  `ORD_${zs}`,
  `txn_${"7".repeat(26)}`,
  `lnk_${zs}`,
  `pl_test_${"0".repeat(32)}`,
  "pl_live_",
  "2026-02-30T00:00:00Z",
  "0000-00-00",
  "275760-09-13T00:00:00.001Z",
  "+099999-01-01T00:00:00Z",
  "-271821-04-20T00:00:00Z",
  "9999-12-31T23:59:59.999999999+23:59",
  "2026-11-20",
  "1763650000",
  "XXX",
  "cny",
  "CNY",
  "BTC",
  "http://",
  "javascript:alert(1)",
  "https://[::1]:99999/",
  "https://a b/",
  "%",
  "_",
  "\\",
  "4111 1111 1111 1111",
  "a@b",
  `${"a".repeat(250)}@example.com`,
  '"',
  '\\"',
  "𐀀",
  "wechat",
  "wechatpay",
  "alipay",
];

/** JSON tokens as written in a text; some are invalid. */
export const oddTokens: readonly string[] = [
  "null",
  "true",
  "false",
  "0",
  "-0",
  "-1",
  "1.5",
  "100.0",
  "1e2",
  "1e400",
  "-1e400",
  "1e-400",
  "9007199254740993",
  "99999999999",
  "100000000000",
  "1".repeat(400),
  "01",
  "+1",
  ".5",
  "NaN",
  "0x1F",
  "[]",
  "{}",
  "[null]",
  "[[]]",
  "[{}]",
  '{"a":{"b":{"c":{}}}}',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e"',
  '"\\x41"',
  '"unfinished',
  "undefined",
  "'single'",
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"toString":1}',
  `"${"x".repeat(20_000)}"`,
  `[${"1,".repeat(2000)}1]`,
  "[".repeat(200) + "]".repeat(200),
];

/** Whole bodies that aren't one of our objects. */
export function oddBodies(throwing: Dice): Buffer {
  const deep = 10_000;
  const texts = [
    "",
    " ",
    "{",
    "}",
    "[",
    "null",
    "true",
    "1",
    '"a"',
    "[]",
    "{}",
    "{,}",
    '{"a":1,}',
    '{"a":1 "b":2}',
    "{'a':1}",
    "/*c*/{}",
    "\ufeff{}",
    "{}{}",
    '{"a":1,"a":2}',
    '{"":1}',
    "[".repeat(deep) + "]".repeat(deep),
    `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`,
    '{"__proto__":null}',
    '{"__proto__":{"amount_minor":1}}',
    "amount_minor=1&currency=CNY",
    "<a/>",
    `{"a":"${"x".repeat(300_000)}"}`,
  ];
  const bytes = [
    Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
    Buffer.from('{"a":"\xff\xfe"}', "latin1"),
    Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from([0x1f, 0x8b, 8, 0, 0]),
    Buffer.alloc(2000),
  ];
  return throwing.chance(0.2) ? throwing.pick(bytes) : Buffer.from(throwing.pick(texts));
}
