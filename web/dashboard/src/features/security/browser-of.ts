/** A readable name from a browser's user agent. */
export function browserOf(agent: string | null): string {
  const names: [RegExp, string][] = [
    [/MicroMessenger/, "WeChat"],
    [/Edg\//, "Edge"],
    [/Firefox\//, "Firefox"],
    [/Chrome\//, "Chrome"],
    [/Safari\//, "Safari"],
  ];
  const systems: [RegExp, string][] = [
    [/iPhone|iPad/, "iOS"],
    [/Android/, "Android"],
    [/Mac OS/, "macOS"],
    [/Windows/, "Windows"],
    [/Linux/, "Linux"],
  ];
  const first = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(agent ?? ""))?.[1];
  return [first(names), first(systems)].filter((part) => part !== undefined).join(", ") || (agent ?? "–").slice(0, 30);
}
