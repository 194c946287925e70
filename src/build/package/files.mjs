import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Lists the files below a folder by their paths from it, with slashes, sorted by their bytes. */
export function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort((one, other) => (one < other ? -1 : 1));
}
