import type { MantineColorScheme, MantineColorSchemeManager } from "@mantine/core";
import { readChoice, writeChoice } from "../words/choices.ts";

/** Light, dark or the device's choice, stored in the cookie that the server reads. The tokens follow `data-theme`. */
export const colorSchemes: MantineColorSchemeManager = {
  get: (fallback) => {
    const chosen = readChoice("theme");
    return chosen === "light" || chosen === "dark" ? chosen : fallback;
  },
  set: (value: MantineColorScheme) => {
    writeChoice("theme", value === "auto" ? null : value);
    if (value === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = value;
  },
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => writeChoice("theme", null),
};
