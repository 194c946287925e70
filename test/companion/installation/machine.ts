import childProcess from "node:child_process";
import {
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
import { jest } from "@jest/globals";
import type { Surroundings } from "../../../src/companion/commands/surroundings";
import { runToEnd, runWell } from "../command-run";
import { createPages } from "../pages-folder";
import { reuseCertificateKeys } from "../quick-keys";
import { runStandIn, type SystemState } from "./system-tools";

const EXCEL_FOR_MAC = ["Library", "Containers", "com.microsoft.Excel", "Data", "Documents"];
const MANIFEST = readFileSync(join(__dirname, "../../../manifest.xml"));

const folders: string[] = [];

/** The stand-ins' state, and how they were called. */
interface Computer {
  state: SystemState;
  calls: string[];
}

/** By the PATH of their environment. */
const computers = new Map<string | undefined, Computer>();

type Callback = (error: Error | null, output: string, errors: string) => void;

/** Runs the stand-ins in this process: a process of each would cost most of the tests' time, and none is of Windows. */
const execFile = childProcess.execFile as unknown as (...call: unknown[]) => unknown;
jest.spyOn(childProcess, "execFile").mockImplementation(((...call: unknown[]) => {
  const [program, words, { env: environment }, callback] = call as [
    ...[program: string, words: string[], options: { env: NodeJS.ProcessEnv }, callback: Callback],
  ];
  const computer = computers.get(environment.PATH);
  if (computer === undefined) return execFile(...call);
  setImmediate(() => {
    computer.calls.push([program, ...words].join(" "));
    const { code, text } = runStandIn(program, { words, environment, state: computer.state });
    const printed = text && `${text}\n`;
    if (code === 0) callback(null, printed, "");
    else callback(Object.assign(new Error(), { code }), "", printed);
  });
  return undefined;
}) as never);

reuseCertificateKeys();

/** Removes the folders of all computers of a test file. */
export function removeMachines(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  computers.clear();
}

/** A person's computer, with stand-ins of its operating system's programs. */
export type TestMachine = ReturnType<typeof createMachine>;

/**
 * Creates a person's computer in a folder of its own.
 * @param platform Whose programs it has.
 * @param initial What differs from a fresh one.
 */
export function createMachine(platform: "linux" | "darwin" | "win32", initial: Partial<SystemState> = {}) {
  const home = mkdtempSync(join(tmpdir(), "feed-machine-"));
  const webFolder = createPages();
  folders.push(home, webFolder);
  writeFileSync(join(webFolder, "manifest.xml"), MANIFEST);
  if (platform === "darwin") mkdirSync(join(home, ...EXCEL_FOR_MAC), { recursive: true });
  const registry = { HKEY_CURRENT_USER: {}, "HKEY_CURRENT_USER\\Software": {} };
  const computer: Computer = {
    state: { registry, roots: [], tasks: {}, agents: {}, units: {}, preferences: {}, ...initial },
    calls: [],
  };
  computers.set(home, computer);
  const readState = () => structuredClone(computer.state);
  const folder = join(home, ".config", "feed-for-excel");
  const environment = { PATH: home, XDG_CONFIG_HOME: join(home, ".config"), USERDOMAIN: "FIRM", USERNAME: "ada" };
  const certificateFolder = join(home, ".office-addin-dev-certs");
  const places = { folder, certificateFolder, home, webFolder, script: join(home, "bin", "feed.mjs") };
  return {
    ...places,
    platform,
    environment,
    readState,
    changeState(change: Partial<SystemState>) {
      computer.state = structuredClone({ ...computer.state, ...change });
    },
    readCalls: () => computer.calls,
    /** Everything that an installation could leave behind. */
    describe: () => ({ files: listFiles(home), state: readState() }),
    run: (words: string[], surroundings: Partial<Surroundings> = {}) =>
      runWell(words, { environment, platform, ...places, ...surroundings }),
    /** Runs a command that may fail. */
    runToEnd: (words: string[], surroundings: Partial<Surroundings> = {}) =>
      runToEnd(words, { environment, platform, ...places, ...surroundings }),
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
