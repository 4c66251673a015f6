import { shapeOf } from "./config.ts";
import type { Setting } from "./settings/setting.ts";
import { settingsTable } from "./settings-table.ts";

/** `docs/settings.md`: every setting by group, with shape, default and meaning. */
export function settingsMarkdown(): string {
  const lines = [
    "# Settings",
    "",
    "Tillpost reads its settings from environment variables. All invalid settings are reported together at startup.",
    "",
  ];
  for (const [group, settings] of groups()) {
    lines.push(`## ${group}`, "", "| Variable | Value | Default | What it does |", "|---|---|---|---|");
    for (const [name, setting] of settings) {
      const shape = shapeOf(setting.schema) + (setting.secret ? " (secret)" : "");
      lines.push(
        `| \`${name}\` | ${shape} | ${setting.default === null ? "–" : `\`${asText(setting.default) || "(empty)"}\``} | ${setting.sentence} |`,
      );
    }
    lines.push("");
  }
  return lines.join("\n");
}

/** `.env.example`: every setting commented out at its default. */
export function envExample(): string {
  const lines = ["# All of Tillpost's settings. Remove the # before the ones you change. For details, see docs/settings.md.", ""];
  for (const [group, settings] of groups()) {
    lines.push(`# ${group}`, "");
    for (const [name, setting] of settings) {
      lines.push(`# ${setting.sentence.replaceAll("`", "")}`, `#${name}=${setting.default === null ? "" : asText(setting.default)}`, "");
    }
  }
  return lines.join("\n");
}

function groups(): Map<string, [string, Setting][]> {
  return Map.groupBy(Object.entries(settingsTable) as [string, Setting][], ([, setting]) => setting.group);
}

function asText(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return Array.isArray(value) ? value.join(",") : String(value);
}
