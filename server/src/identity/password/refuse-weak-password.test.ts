import { describe, expect, test } from "vitest";
import { AppError } from "#platform/index.ts";
import { refuseWeakPassword } from "./refuse-weak-password.ts";

const about = ["li.wei@corner-books.com", "Li Wei", "Corner Books"];

/** The error for a password, or null if it is accepted. */
function verdict(text: string): string | null {
  try {
    refuseWeakPassword({ text, param: "new_password", about });
    return null;
  } catch (error) {
    const { code, message, extras } = error as AppError;
    expect(error).toBeInstanceOf(AppError);
    expect([code, extras.param]).toEqual(["parameter_invalid", "new_password"]);
    return message;
  }
}

const weak: [kind: string, ...texts: string[]][] = [
  ["one sign", "aaaaaaaaaa", "1111111111", "          ", "😀😀😀😀😀😀😀😀😀😀", "AAAAaaaaAAAA"],
  ["few signs", "abababababab", "aaaabbbbcccc", "hohohoho!!!!"],
  [
    "a walk along a row",
    "abcdefghij",
    "zyxwvutsrqp",
    "1234567890",
    "0987654321",
    "qwertyuiop",
    "poiuytrewq",
    "1qaz2wsx3edc",
    "q1w2e3r4t5",
    "!@#$%^&*()",
  ],
  ["walks one after another", "qwertyasdfgh", "abcd12345678", "asdfghjkl123", "abc123456789", "a123456789", "qq123456789"],
  ["a part said twice", "abc123abc123", "k7Q!zk7Q!z", "kx8 kx8 kx8 kx8"],
  [
    "a common password",
    "password123",
    "Password2026",
    "P@ssw0rd123!",
    "passwordpassword",
    "iloveyou1234",
    "letmein12345",
    "Welcome2026!",
    "admin-123456",
  ],
  ["one of China's common passwords", "woaini1314", "5201314520", "woaini5201314", "我爱你我爱你1234"],
  ["the product's name", "tillpost2026", "Tillpost!Tillpost!", "T1llp0st-123"],
  ["the person's own address", "li.wei@corner-books.com", "liwei2026!", "corner-books1", "Li Wei 1988"],
  ["the business", "CornerBooks22", "Corner Books!"],
  ["digits alone", "13800138000", "1988-04-30-11"],
];

describe("a password is refused if it is little more than", () => {
  test.each(weak)("%s", (_kind, ...texts) => {
    const taken = texts.filter((text) => verdict(text)?.startsWith("This password is too easy to guess") !== true);
    expect(taken).toEqual([]);
  });
});

test("counts characters as people see them", () => {
  expect(verdict("k7!qZ-x2w")).toContain("at least 10");
  expect(verdict("茶😀馆k7!qZ")).toContain("at least 10");
  expect(verdict("春眠不觉晓处处闻啼鸟")).toBeNull();
  expect(verdict("kx7!qZ2wpv".repeat(12).concat("kx7!qZ2w"))).toBeNull();
  expect(verdict("kx7!qZ2wpv".repeat(13))).toContain("up to 128");
});

test("accepts words that are unrelated, and what a machine generated", () => {
  const good = [
    "correct horse battery",
    "another good one",
    "tea at seven, rain",
    "xK2v9QpLm4",
    "rainy-harbour-41",
    "7f3a9c1e5b2d",
    "my password is a heron",
    "四月茶馆里的两把旧雨伞",
  ];
  expect(good.filter((text) => verdict(text) !== null)).toEqual([]);
});
