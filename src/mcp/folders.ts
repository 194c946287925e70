import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { orElse } from "../refresh/file";
import { toInvalid } from "./tool-error";

/** Says which files the person allowed. */
export interface Folders {
  /** Gives the real path of a workbook below one of the folders. @throws ToolError for any other file, and for none */
  find(path: string): string;
}

/**
 * Takes folders as the person named them; links among them, and below them, are resolved.
 * @throws Error for a folder that is none
 */
export function createFolders(paths: readonly string[]): Folders {
  const allowed = paths.map((path) => {
    const real = path === "" ? null : orElse(null, () => realpathSync(path));
    if (real === null || !statSync(real).isDirectory())
      throw new Error(`"${path}" is no folder. Give one with --folder.`);
    return real;
  });
  const listed = allowed.join(", ");
  return {
    find(path) {
      const wanted = isAbsolute(path) ? [path] : allowed.map((folder) => join(folder, path));
      const found = wanted.flatMap((each) => orElse([], () => [realpathSync(resolve(each))]));
      const within = found.filter((each) => allowed.some((folder) => isBelow(folder, each)));
      const book = within.find((each) => /\.xls[xm]$/i.test(each) && statSync(each).isFile());
      if (book !== undefined) return book;
      throw toInvalid(
        `no workbook (.xlsx, .xlsm) of this path is below ${listed}`,
        "give one that is, or have the person start feed mcp with another --folder",
      );
    },
  };
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
