import type { Lang } from "../format.ts";

/**
 * The buyer's own choice wins, then what the merchant set on the order, then the browser's preference by its q-values.
 * Any Chinese tag reads as Chinese, everything else as English.
 */
export function chooseLanguage(asked: string | undefined, orderLocale: string, acceptLanguage: string | undefined): Lang {
  if (asked === "zh" || asked === "en") return asked;
  if (orderLocale !== "auto") return orderLocale.toLowerCase().startsWith("zh") ? "zh" : "en";
  const ranked = (acceptLanguage ?? "")
    .split(",")
    .slice(0, 20)
    .map((entry) => {
      const [tag = "", ...params] = entry.trim().toLowerCase().split(";");
      const quality = Number(params.map((param) => /^\s*q=([\d.]+)$/.exec(param)?.[1]).find((value) => value !== undefined) ?? 1);
      return { tag, quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ tag, quality }) => quality > 0 && /^(zh|en)\b/.test(tag))
    .sort((one, other) => other.quality - one.quality);
  return ranked[0]?.tag.startsWith("zh") === true ? "zh" : "en";
}
