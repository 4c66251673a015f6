import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The dashboard: one script that every page needs, and one for each page. The caller decides where it is written to. */
export default defineConfig({
  root: fileURLToPath(new URL("dashboard", import.meta.url)),
  base: "/dashboard/",
  plugins: [react()],
  publicDir: false,
  logLevel: "warn",
  // Nothing may be inlined as a data URL: the page's policy would refuse it.
  build: {
    target: "es2022",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
  },
});
