/** A length of time in the largest unit that says it whole: 90 minutes, 24 hours, 3 days. One day is said as hours. */
export function lasting(lang: "en" | "zh", minutes: number): string {
  const [count, unit] = minutes % 1440 === 0 && minutes > 1440 ? [minutes / 1440, "day"] : minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  if (lang === "en") return `${count} ${unit}${count === 1 ? "" : "s"}`;
  return `${count} ${{ day: "天", hour: "小时", minute: "分钟" }[unit as "day" | "hour" | "minute"]}`;
}
