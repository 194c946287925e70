import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import FILES from "./pages-folder.json";

/** Creates a folder structured like the build's. */
export function createPages(): string {
  const folder = mkdtempSync(join(tmpdir(), "feed-web-"));
  for (const name of ["assets", "reference/ja"]) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  copyFileSync(join(__dirname, "../../manifest.xml"), join(folder, "manifest.xml"));
  return folder;
}
