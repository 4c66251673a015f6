import { describe, expect, test } from "vitest";
import { readKeyword } from "./keywords.ts";

describe("a word", () => {
  test.each([
    ["STOP", "stop", "en"],
    ["stop", "stop", "en"],
    [" Stop. ", "stop", "en"],
    ["Stop!", "stop", "en"],
    ["STOP ALL", "stop", "en"],
    ["opt-out", "stop", "en"],
    ["Unsubscribe", "stop", "en"],
    ["quit", "stop", "en"],
    ["ＳＴＯＰ", "stop", "en"],
    ["\u200bSTOP\ufe0f", "stop", "en"],
    ["“STOP” \u{1f6d1}", "stop", "en"],
    [`stop${"\n".repeat(60)}`, "stop", "en"],
    ["Arrêt", "stop", "en"],
    ["iptal", "stop", "en"],
    ["İPTAL", "stop", "en"],
    ["стоп", "stop", "en"],
    ["إلغاء", "stop", "en"],
    ["수신거부", "stop", "en"],
    ["ｽﾄｯﾌﾟ", "stop", "en"],
    ["退订", "stop", "zh"],
    ["退订。", "stop", "zh"],
    ["取消订阅", "stop", "zh"],
    ["START", "start", "en"],
    ["订阅", "start", "zh"],
    ["help", "help", "en"],
    ["帮助", "help", "zh"],
  ])("%j requests %s", (body, keyword, language) => {
    expect(readKeyword(body, { from: "+14155552000" })).toEqual({ keyword, language });
  });

  test.each([
    "Please stop by tomorrow",
    "STOP\u200b it",
    "Arrête",
    "стопка",
    "🛑",
    "stopping",
    "",
    "Don't stop",
    "I need help",
    "T",
    "TD",
    "s t o p ".repeat(20),
  ])("%j requests nothing", (body) => {
    expect(readKeyword(body, { from: "+14155552000" })).toBeNull();
  });

  test.each(["T", "td", "TD。"])("%j requests an opt-out in China", (body) => {
    expect(readKeyword(body, { from: "+8613800138000" })).toEqual({ keyword: "stop", language: "zh" });
  });
});
