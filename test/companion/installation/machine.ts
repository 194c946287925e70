import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../../src/companion/command";
import type { Surroundings } from "../../../src/companion/commands/surroundings";
import { createPages } from "../pages-folder";

const TOOLS = ["reg", "certutil", "schtasks", "security", "launchctl", "systemctl", "defaults"];
const EXCEL_FOR_MAC = ["Library", "Containers", "com.microsoft.Excel", "Data", "Documents"];
const MANIFEST = readFileSync(join(__dirname, "../../../manifest.xml"));

/** The state of the stand-ins; more than these names change how they answer. */
export interface SystemState {
  registry: Record<string, Record<string, string>>;
  roots: string[];
  tasks: Record<string, { text: string; isRunning: boolean }>;
  agents: Record<string, object>;
  units: Record<string, string>;
  preferences: Record<string, string>;
  [fault: string]: unknown;
}

const folders: string[] = [];

/** Removes the folders of all computers of a test file. */
export function removeMachines(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

/** A person's computer, with stand-ins of its operating system's programs. */
export type TestMachine = ReturnType<typeof createMachine>;

/**
 * Creates a person's computer in a folder of its own.
 * @param platform Whose programs it has.
 * @param state What differs from a fresh one.
 */
export function createMachine(platform: "linux" | "darwin" | "win32", state: Partial<SystemState> = {}) {
  const home = mkdtempSync(join(tmpdir(), "feed-machine-"));
  const tools = mkdtempSync(join(tmpdir(), "feed-machine-tools-"));
  const webFolder = createPages();
  folders.push(home, tools, webFolder);
  writeFileSync(join(webFolder, "manifest.xml"), MANIFEST);
  if (platform === "darwin") mkdirSync(join(home, ...EXCEL_FOR_MAC), { recursive: true });
  for (const tool of TOOLS) {
    const text = `#!${process.execPath}\nrequire(${JSON.stringify(join(__dirname, "system-tools.cjs"))});\n`;
    writeFileSync(join(tools, tool), text, { mode: 0o700 });
  }
  const writeState = (next: SystemState) => writeFileSync(join(tools, "state.json"), JSON.stringify(next));
  const readState = (): SystemState => JSON.parse(readFileSync(join(tools, "state.json"), "utf8"));
  const registry = { HKEY_CURRENT_USER: {}, "HKEY_CURRENT_USER\\Software": {} };
  writeState({ registry, roots: [], tasks: {}, agents: {}, units: {}, preferences: {}, ...state });
  const folder = join(home, ".config", "feed-for-excel");
  const environment = { PATH: tools, XDG_CONFIG_HOME: join(home, ".config"), USERDOMAIN: "FIRM", USERNAME: "ada" };
  const certificateFolder = join(home, ".office-addin-dev-certs");
  const places = { folder, certificateFolder, home, webFolder, script: join(home, "bin", "feed.mjs") };
  return {
    ...places,
    platform,
    environment,
    readState,
    changeState: (change: Partial<SystemState>) => writeState({ ...readState(), ...change }),
    readCalls: () =>
      existsSync(join(tools, "calls")) ? readFileSync(join(tools, "calls"), "utf8").trim().split("\n") : [],
    /** Everything that an installation could leave behind. */
    describe: () => ({ files: listFiles(home), state: readState() }),
    async run(words: string[], surroundings: Partial<Surroundings> = {}): Promise<string[]> {
      const lines: string[] = [];
      const print = (line: string) => lines.push(line);
      await runCommand(words, { environment, print, platform, ...places, ...surroundings });
      return lines;
    },
  };
}

/** Files with their content and links with their target, by path; folders by their path alone. */
function listFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder).map((name): [string, string][] => {
    const path = join(folder, name);
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return [[path, `-> ${readlinkSync(path)}`]];
    if (stats.isFile()) return [[path, readFileSync(path).toString("base64")]];
    return [[path, "folder"], ...Object.entries(listFiles(path))];
  });
  return Object.fromEntries(entries.flat());
}
