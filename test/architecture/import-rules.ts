import { isBuiltin } from "node:module";
import type { Module, ModuleImport } from "../support/module-graph";
import pureModules from "./pure-modules.json";
import rooms from "./rooms.json";

interface Room {
  /** Rooms it may import from, besides itself. */
  rooms: string[];
  /** Rooms it may import types and pure modules from. */
  typesOf?: string[];
  /**
   * Single files of other rooms that it may import, such as the door to features that can be taken out, each with the one
   * file that may name it; "" for any.
   */
  entries?: Readonly<Record<string, string>>;
  /** Packages it may use; a trailing `*` matches every name with that beginning. */
  packages: string[];
  /** Files outside src that it may read at build time. */
  files?: string[];
}

/** The imports each room may have. */
export const ROOMS: Record<string, Room> = rooms;

/** Stateless modules that any room with the feed's types may call: errors, subscribers, and reading and picking values. */
export const PURE_MODULES = pureModules
  .map((name) => `src/feed/${name}.ts`)
  .concat(
    "src/client/closest.ts",
    "src/client/errors.ts",
    "src/client/ids.ts",
    "src/client/messages.ts",
    "src/client/owner.ts",
    "src/client/subscribers.ts",
  );

/**
 * The only rooms and files in which these names of Office.js may stand. One file of the functions asks Office what
 * the host can show: the shared runtime has Office there, and the namespace of custom functions does not tell. One file
 * of the session asks it for the prefix of stored keys, which cells need before the pane does.
 */
export const GLOBALS: Record<string, string[]> = {
  CustomFunctions: ["functions", "playground"],
  Excel: ["taskpane"],
  Office: ["taskpane", "src/functions/cells.ts", "src/session/pairing.ts"],
};

/** Scripts that run in Node at build time and are part of no bundle. */
const BUILD_SCRIPT = /\.[cm]js$/;
const LONGEST_FILE = 500;
const LONGEST_FUNCTION = 60;

const roomOf = (path: string) => path.split("/")[1] ?? "";
const bundled = (modules: Module[]) =>
  modules.filter(({ path }) => path.startsWith("src/") && !BUILD_SCRIPT.test(path));

/** Lists the imports between rooms that the table does not allow. */
export function listForeignRooms(modules: Module[]): string[] {
  return bundled(modules).flatMap((module) =>
    module.imports
      .filter((found) => found.path !== undefined && !isRoomAllowed(module.path, found))
      .map((found) => `${module.path} imports ${found.path}`),
  );
}

/** Lists imports between tools, each of which can be taken out; their list alone names them. */
export function listForeignTools(modules: Module[]): string[] {
  const toolOf = (path = "") => /^src\/tools\/([^/]+)\//.exec(path)?.[1];
  return modules.flatMap(({ path, imports }) =>
    imports
      .filter((found) => toolOf(path) !== undefined && ![undefined, toolOf(path)].includes(toolOf(found.path)))
      .map((found) => `${path} imports ${found.path}`),
  );
}

function isRoomAllowed(from: string, { path = "", isTypeOnly }: ModuleImport): boolean {
  const room = roomOf(from);
  const table = ROOMS[room];
  if (!table) return false;
  if (!path.startsWith("src/")) return table.files?.includes(path) ?? false;
  const other = roomOf(path);
  if (other === room || table.rooms.includes(other)) return true;
  const mountedIn = table.entries?.[path];
  if (mountedIn !== undefined) return (mountedIn || from) === from;
  return (table.typesOf?.includes(other) ?? false) && (isTypeOnly || PURE_MODULES.includes(path));
}

/** Lists imports of the pure modules other than types, the contract and one another, which could introduce state. */
export function listImpurities(modules: Module[]): string[] {
  return modules
    .filter(({ path }) => PURE_MODULES.includes(path))
    .flatMap(({ path, imports }) => imports.filter((found) => !found.isTypeOnly).map((found) => ({ path, found })))
    .filter(({ found }) => !found.path?.startsWith("src/contract/") && !PURE_MODULES.includes(found.path ?? ""))
    .map(({ path, found }) => `${path} imports ${found.specifier}`);
}

/** Lists the packages, Node's own included, that a room may not use. */
export function listForeignPackages(modules: Module[]): string[] {
  return bundled(modules).flatMap((module) =>
    module.imports
      .filter((found) => found.path === undefined && !isPackageAllowed(roomOf(module.path), found.specifier))
      .map((found) => `${module.path} imports ${found.specifier}`),
  );
}

function isPackageAllowed(room: string, specifier: string): boolean {
  const name = isBuiltin(specifier) ? `node:${specifier.replace(/^node:/, "")}` : toPackageName(specifier);
  const allowed = ROOMS[room]?.packages ?? [];
  return allowed.some((entry) => (entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry));
}

function toPackageName(specifier: string): string {
  const depth = specifier.startsWith("@") ? 2 : 1;
  return specifier.split("/").slice(0, depth).join("/");
}

/** Lists uses of Office.js's globals in rooms that may not use them. */
export function listForeignGlobals(modules: Module[]): string[] {
  return bundled(modules).flatMap((module) =>
    Object.entries(GLOBALS)
      .filter(([name]) => module.names.has(name))
      .filter(([, places]) => !places.includes(roomOf(module.path)) && !places.includes(module.path))
      .map(([name]) => `${module.path} names ${name}`),
  );
}

/** Lists every import cycle as its path. */
export function listCycles(modules: Module[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const finished = new Set<string>();
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(" > ")];
    if (finished.has(path)) return [];
    const next = byPath.get(path)?.imports.flatMap((found) => found.path ?? []) ?? [];
    const cycles = next.flatMap((other) => visit(other, [...trail, path]));
    finished.add(path);
    return cycles;
  };
  return modules.flatMap((module) => visit(module.path, []));
}

/** Lists files above the length limit. */
export function listLongFiles(modules: Module[]): string[] {
  return modules.filter(({ lines }) => lines > LONGEST_FILE).map(({ path, lines }) => `${path} has ${lines} lines`);
}

/** Lists functions above the length limit. */
export function listLongFunctions(modules: Module[]): string[] {
  return modules.flatMap(({ path, functions }) =>
    functions
      .filter(({ lines }) => lines > LONGEST_FUNCTION)
      .map(({ name, lines }) => `${path}: ${name} has ${lines} lines`),
  );
}
