import { X509Certificate } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The state of the stand-ins; more than these names change how they answer. */
export interface SystemState {
  registry: Record<string, Record<string, string>>;
  roots: string[];
  tasks: Record<string, { text: string; isRunning: boolean }>;
  agents: Record<string, { isLeaving: boolean }>;
  units: Record<string, string>;
  preferences: Record<string, string>;
  [fault: string]: unknown;
}

/** How a program ended. */
class Ended {
  constructor(
    readonly code: number,
    readonly text = "",
  ) {}
}

function end(code: number, text = ""): never {
  throw new Ended(code, text);
}

/** How a stand-in was called. */
interface Call {
  words: readonly string[];
  state: SystemState;
  environment: NodeJS.ProcessEnv;
}

const readOption = (words: readonly string[], flag: string): string => words[words.indexOf(flag) + 1]!;
const fingerprintOf = (file: string): string => new X509Certificate(readFileSync(file)).fingerprint.replaceAll(":", "");

/** Keys by their whole name; values as a .reg file writes them. */
function reg({ words, state }: Call): never {
  const { registry } = state;
  const [verb = "", key = ""] = words;
  const done = "The operation completed successfully.";
  const missing = "ERROR: The system was unable to find the specified registry key or value.";
  if (state.registryToolsForbidden) end(1, "ERROR: Registry editing has been disabled by your administrator.");
  const make = (wanted: string) => {
    const parts = wanted.split("\\");
    for (let count = 1; count <= parts.length; count += 1) registry[parts.slice(0, count).join("\\")] ??= {};
  };
  if (verb === "import") {
    const text = readFileSync(key, "utf16le");
    if (!text.startsWith("\uFEFFWindows Registry Editor Version 5.00\r\n"))
      end(1, "ERROR: Error accessing the registry.");
    const [, imported = ""] = /^\[(.*)\]\r$/m.exec(text) ?? [];
    make(imported);
    for (const [, value = "", data = ""] of text.matchAll(/^("(?:[^"\\]|\\.)*")=(.*)\r$/gm))
      registry[imported]![JSON.parse(value)] = data;
    end(0, done);
  }
  if (verb === "add") {
    make(key);
    registry[key]![readOption(words, "/v")] = JSON.stringify(readOption(words, "/d"));
    end(0, done);
  }
  const values = registry[key] ?? end(1, missing);
  const below = Object.keys(registry).filter((each) => each.startsWith(`${key}\\`));
  if (verb === "query") end(0, [key, ...below].join("\n"));
  if (verb === "export") {
    const sections = [key, ...below].map((each) => {
      const lines = Object.entries(registry[each]!).map(([value, data]) => `${JSON.stringify(value)}=${data}\r\n`);
      return `[${each}]\r\n${lines.join("")}\r\n`;
    });
    const text = `\uFEFFWindows Registry Editor Version 5.00\r\n\r\n${sections.join("")}`;
    if (existsSync(words[2]!) && !words.includes("/y")) end(1, "ERROR: The file exists.");
    writeFileSync(words[2]!, text, "utf16le");
    end(0, done);
  }
  if (verb === "delete" && words.includes("/f")) {
    if (words.includes("/v") && values[readOption(words, "/v")] === undefined) end(1, missing);
    if (words.includes("/v")) delete values[readOption(words, "/v")];
    else for (const each of [key, ...below]) delete registry[each];
    end(0, done);
  }
  end(1, "ERROR: Invalid syntax.");
}

function certutil({ words, state }: Call): never {
  const [user, verb, store, what = ""] = words;
  if (user !== "-user" || store !== "Root") end(1, "CertUtil: Access is denied.");
  const failed = `CertUtil: ${verb} command FAILED: 0x80090011 (-2146893807 NTE_NOT_FOUND)`;
  const done = `Root "Trusted Root Certification Authorities"\nCertUtil: ${verb} command completed successfully.`;
  if (verb === "-addstore") {
    if (state.refusesTrust) end(1, `CertUtil: ${verb} command FAILED: 0x800704c7 (WIN32: 1223 ERROR_CANCELLED)`);
    state.roots = [...new Set([...state.roots, fingerprintOf(what)])];
    end(0, done);
  }
  if (!state.roots.includes(what)) end(1, failed);
  if (verb === "-delstore") state.roots = state.roots.filter((root) => root !== what);
  end(0, done);
}

function schtasks({ words, state }: Call): never {
  const [verb] = words;
  const task = readOption(words, "/TN");
  if (verb === "/Create") {
    const text = readFileSync(readOption(words, "/XML"), "utf16le");
    if (!text.startsWith('\uFEFF<?xml version="1.0" encoding="UTF-16"?>')) end(1, "ERROR: The task XML is malformed.");
    const isOfPerson = /<LogonTrigger>\s*<Enabled>true<\/Enabled>\s*<UserId>[^<]+</.test(text);
    if (text.includes("<LogonTrigger>") && !isOfPerson) end(1, "ERROR: Access is denied.");
    if (state.refusesTasks) end(1, "ERROR: Access is denied.");
    state.tasks[task] = { text, isRunning: false };
    end(0, `SUCCESS: The scheduled task "${task}" has successfully been created.`);
  }
  const found = state.tasks[task] ?? end(1, "ERROR: The system cannot find the file specified.");
  if (verb === "/Run") found.isRunning = true;
  if (verb === "/End") found.isRunning = false;
  if (verb === "/Delete" && words.includes("/F")) delete state.tasks[task];
  end(0, "SUCCESS.");
}

function security({ words, state }: Call): never {
  const [verb] = words;
  const missing = "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.";
  if (verb === "add-trusted-cert") {
    // For this person alone: without -d, which needs an administrator.
    if (!/^add-trusted-cert -r trustRoot -p ssl -k \S+login\.keychain-db \S+ca\.crt$/.test(words.join(" "))) end(2);
    if (state.refusesTrust) end(1, "SecTrustSettingsSetTrustSettings: The authorization was canceled by the user.");
    state.roots = [...new Set([...state.roots, fingerprintOf(words.at(-1)!)])];
    end(0);
  }
  if (
    verb === "verify-cert" &&
    !/^verify-cert -L -q -p ssl -s localhost -c \S+localhost\.crt -c /.test(words.join(" "))
  )
    end(2);
  if (verb === "verify-cert") end(state.roots.includes(fingerprintOf(words.at(-1)!)) ? 0 : 1);
  if (verb === "find-certificate") end(0, state.roots.map((root) => `SHA-1 hash: ${root}`).join("\n"));
  if (verb === "delete-certificate") {
    if (!state.roots.includes(readOption(words, "-Z"))) end(1, missing);
    state.roots = state.roots.filter((root) => root !== readOption(words, "-Z"));
    end(0);
  }
  end(2, "Usage: security");
}

/** launchd forgets a service a moment after its tool has ended. */
function launchctl({ words, state }: Call): never {
  const [verb, target = ""] = words;
  const [, domain, label = ""] = /^(gui\/\d+)(?:\/(.+))?$/.exec(target) ?? [];
  if (domain === undefined) end(64, "Unrecognized target specifier.");
  if (verb === "bootstrap") {
    const [, defined = ""] = /<key>Label<\/key>\s*<string>([^<]+)/.exec(readFileSync(words[2]!, "utf8")) ?? [];
    if (state.agents[defined] !== undefined) end(5, "Bootstrap failed: 5: Input/output error");
    state.agents[defined] = { isLeaving: false };
    end(0);
  }
  const agent = state.agents[label] ?? end(113, `Could not find service "${label}" in domain for user gui: 501`);
  if (verb === "bootout") agent.isLeaving = true;
  if (verb === "print" && agent.isLeaving) delete state.agents[label];
  end(0, `${target} = {\n\tstate = running\n}`);
}

/** Makes and removes the link by which systemd knows what to start. */
function systemctl({ words, state, environment }: Call): never {
  const verb = words.find((word) => !word.startsWith("-")) ?? "";
  const unit = words.at(-1)!;
  const units = join(environment.XDG_CONFIG_HOME!, "systemd", "user");
  const target = unit.endsWith(".timer") ? "timers.target" : "default.target";
  const link = join(units, `${target}.wants`, unit);
  if (state.hasNoUserManager && ["daemon-reload", "restart"].includes(verb)) {
    end(1, "Failed to connect to bus: No medium found");
  }
  if (verb === "enable" || verb === "restart") {
    if (!existsSync(join(units, unit))) end(1, `Failed to enable unit: Unit file ${unit} does not exist.`);
  }
  if (verb === "enable") {
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(units, unit), link);
  }
  if (verb === "restart" || words.includes("--now")) state.units[unit] = "active";
  if (verb === "disable") {
    rmSync(link, { force: true });
    if (existsSync(dirname(link)) && readdirSync(dirname(link)).length === 0) rmdirSync(dirname(link));
    delete state.units[unit];
  }
  if (verb === "is-enabled") end(existsSync(link) ? 0 : 1);
  end(0);
}

function defaults({ words, state }: Call): never {
  const [verb, domain, key] = words;
  const value = verb === "read" ? state.preferences[`${domain} ${key}`] : undefined;
  if (value === undefined) end(1, `The domain/default pair of (${domain}, ${key}) does not exist`);
  end(0, value);
}

/** Shows the proxies of the network. */
const scutil = ({ words, state }: Call): never => end(0, words.join() === "--proxy" ? String(state.proxies ?? "") : "");

const TOOLS: Readonly<Record<string, (call: Call) => never>> = {
  ...{ reg, certutil, schtasks, security, launchctl, systemctl, defaults, scutil },
};

/**
 * Runs a stand-in of an operating system's program, which keeps its state, and answers as its documentation says. It
 * shows that our words are right for it, and not that a real system agrees.
 */
export function runStandIn(program: string, call: Call): { code: number | string; text: string } {
  const tool = TOOLS[program];
  if (tool === undefined) return { code: "ENOENT", text: "" };
  try {
    return tool(call);
  } catch (ended) {
    // Such as a file that is not there.
    return ended instanceof Ended ? ended : new Ended(1, String(ended));
  }
}
