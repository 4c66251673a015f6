const systems: readonly [RegExp, string][] = [
  [/HarmonyOS|OpenHarmony/, "HarmonyOS"],
  [/Android/, "Android"],
  [/iPad/, "iPad"],
  [/iPhone|iPod/, "iPhone"],
  [/Windows/, "Windows"],
  [/CrOS/, "ChromeOS"],
  [/Macintosh|Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

/** Most specific first: nearly every browser also lists the names of others. */
const browsers: readonly [RegExp, string][] = [
  [/MicroMessenger\//, "WeChat"],
  [/AlipayClient\//, "Alipay"],
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/HuaweiBrowser\//, "Huawei Browser"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrom(?:e|ium)\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

/**
 * A browser and a system in words, from its user agent. All unknown ones count as one device, so that invented names can't fill the table.
 */
export function deviceName(userAgent: string | undefined): string {
  const found = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [browser, system] = [found(browsers), found(systems)];
  if (browser === undefined) return system ?? "unknown";
  return system === undefined ? browser : `${browser} on ${system}`;
}
