import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const api = process.env.IBID_API ?? "http://127.0.0.1:8000";
// What the first page shares with later ones comes as one file each of code and style, not as a dozen crumbs.
const shared =
  /preload-helper|src\/(api|app\/hotkeys|chat\/(copy|words)|ui\/(Badge|Button|EmptyState|Icon|IconButton|LazyMenu|LoadError|Menu\.module|Spinner|Toast|Tooltip|classes))\b/;
const browsers = ["chrome123", "edge123", "firefox121", "safari17.5"]; // the first with light-dark()

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { host: "127.0.0.1", proxy: { "/api": api, "/health": api, "/.well-known": api } },
  build: {
    outDir: "../server/static",
    emptyOutDir: true,
    target: browsers,
    cssTarget: browsers,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", test: shared }] } } },
    assetsInlineLimit: 0, // the page's CSP allows its own files only, not data: fonts
  },
});
