import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder structured like the build's. */
export function createPages(): string {
  const folder = mkdtempSync(join(tmpdir(), "feed-web-"));
  mkdirSync(join(folder, "assets"));
  mkdirSync(join(folder, "reference", "ja"), { recursive: true });
  writeFileSync(join(folder, "reference", "index.html"), "<!doctype html><title>reference</title>");
  writeFileSync(join(folder, "reference", "support.html"), "<!doctype html><title>support</title>");
  writeFileSync(join(folder, "reference", "ja", "index.html"), "<!doctype html><title>reference</title>");
  writeFileSync(join(folder, "playground.html"), "<!doctype html><title>playground</title>");
  writeFileSync(join(folder, "playground-pane.html"), "<!doctype html><title>playground</title>");
  writeFileSync(join(folder, "playground.js"), "// <title>");
  writeFileSync(join(folder, "taskpane.html"), "<!doctype html><title>taskpane</title>");
  writeFileSync(join(folder, "functions.js"), "// functions");
  writeFileSync(join(folder, "offline.js"), "// offline");
  copyFileSync(join(__dirname, "../../manifest.xml"), join(folder, "manifest.xml"));
  for (const name of ["functions.json", "functions-ja.json"])
    writeFileSync(join(folder, name), '{"functions":[{"helpUrl":"https://localhost:3000/reference/STATUS.html"}]}');
  writeFileSync(join(folder, "shortcuts.json"), '{"actions":[]}');
  writeFileSync(join(folder, "assets", "icon-16.png"), "png");
  writeFileSync(join(folder, ".hidden"), "hidden");
  return folder;
}
