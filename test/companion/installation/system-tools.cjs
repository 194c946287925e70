/**
 * Stand-ins of the operating systems' programs: each keeps its state in one JSON file, records how it was called, and
 * answers as its documentation says. They show that our words are right for them, and not that a real system agrees.
 */
const { X509Certificate } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const [, script, ...words] = process.argv;
const folder = path.dirname(script);
const name = path.basename(script);
const statePath = path.join(folder, "state.json");
const state = JSON.parse(fs.readFileSync(statePath, "utf8"));
fs.appendFileSync(path.join(folder, "calls"), `${[name, ...words].join(" ")}\n`);

const readOption = (flag) => words[words.indexOf(flag) + 1];
const fingerprintOf = (file) => new X509Certificate(fs.readFileSync(file)).fingerprint.replaceAll(":", "");

function end(code, text = "") {
  fs.writeFileSync(statePath, JSON.stringify(state, null, 2));
  (code === 0 ? process.stdout : process.stderr).write(text && `${text}\n`);
  process.exit(code);
}

const tools = { reg, certutil, schtasks, security, launchctl, systemctl, defaults };

/** Keys by their whole name; values as a .reg file writes them. */
function reg() {
  const { registry } = state;
  const [verb, key] = words;
  const done = "The operation completed successfully.";
  const missing = "ERROR: The system was unable to find the specified registry key or value.";
  if (state.registryToolsForbidden) end(1, "ERROR: Registry editing has been disabled by your administrator.");
  const make = (wanted) => {
    const parts = wanted.split("\\");
    for (let count = 1; count <= parts.length; count += 1) registry[parts.slice(0, count).join("\\")] ??= {};
  };
  if (verb === "import") return importReg(fs.readFileSync(key, "utf16le"), make, done);
  if (verb === "add") {
    make(key);
    registry[key][readOption("/v")] = JSON.stringify(readOption("/d"));
    end(0, done);
  }
  if (registry[key] === undefined) end(1, missing);
  const below = Object.keys(registry).filter((each) => each.startsWith(`${key}\\`));
  if (verb === "query") end(0, [key, ...below].join("\n"));
  if (verb === "export") {
    const sections = [key, ...below].map((each) => {
      const lines = Object.entries(registry[each]).map(([value, data]) => `${JSON.stringify(value)}=${data}\r\n`);
      return `[${each}]\r\n${lines.join("")}\r\n`;
    });
    const text = `\uFEFFWindows Registry Editor Version 5.00\r\n\r\n${sections.join("")}`;
    if (fs.existsSync(words[2]) && !words.includes("/y")) end(1, "ERROR: The file exists.");
    fs.writeFileSync(words[2], text, "utf16le");
    end(0, done);
  }
  if (verb === "delete" && words.includes("/f")) {
    if (words.includes("/v") && registry[key][readOption("/v")] === undefined) end(1, missing);
    if (words.includes("/v")) delete registry[key][readOption("/v")];
    else for (const each of [key, ...below]) delete registry[each];
    end(0, done);
  }
  end(1, "ERROR: Invalid syntax.");
}

function importReg(text, make, done) {
  if (!text.startsWith("\uFEFFWindows Registry Editor Version 5.00\r\n"))
    end(1, "ERROR: Error accessing the registry.");
  const [, key] = /^\[(.*)\]\r$/m.exec(text);
  make(key);
  for (const [, value, data] of text.matchAll(/^("(?:[^"\\]|\\.)*")=(.*)\r$/gm))
    state.registry[key][JSON.parse(value)] = data;
  end(0, done);
}

function certutil() {
  const [user, verb, store, what] = words;
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

function schtasks() {
  const [verb] = words;
  const task = readOption("/TN");
  if (verb === "/Create") {
    const text = fs.readFileSync(readOption("/XML"), "utf16le");
    if (!text.startsWith('\uFEFF<?xml version="1.0" encoding="UTF-16"?>')) end(1, "ERROR: The task XML is malformed.");
    if (!/<LogonTrigger>\s*<Enabled>true<\/Enabled>\s*<UserId>[^<]+</.test(text)) end(1, "ERROR: Access is denied.");
    state.tasks[task] = { text, isRunning: false };
    end(0, `SUCCESS: The scheduled task "${task}" has successfully been created.`);
  }
  if (state.tasks[task] === undefined) end(1, "ERROR: The system cannot find the file specified.");
  if (verb === "/Run") state.tasks[task].isRunning = true;
  if (verb === "/End") state.tasks[task].isRunning = false;
  if (verb === "/Delete" && words.includes("/F")) delete state.tasks[task];
  end(0, "SUCCESS.");
}

function security() {
  const [verb] = words;
  const missing = "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.";
  if (verb === "add-trusted-cert") {
    if (state.refusesTrust) end(1, "SecTrustSettingsSetTrustSettings: The authorization was canceled by the user.");
    state.roots = [...new Set([...state.roots, fingerprintOf(words.at(-1))])];
    end(0);
  }
  if (verb === "verify-cert") end(state.roots.includes(fingerprintOf(words.at(-1))) ? 0 : 1);
  if (verb === "find-certificate") end(0, state.roots.map((root) => `SHA-1 hash: ${root}`).join("\n"));
  if (verb === "delete-certificate") {
    if (!state.roots.includes(readOption("-Z"))) end(1, missing);
    state.roots = state.roots.filter((root) => root !== readOption("-Z"));
    end(0);
  }
  end(2, "Usage: security");
}

/** launchd forgets a service a moment after its tool has ended. */
function launchctl() {
  const [verb, target] = words;
  const [, domain, label] = /^(gui\/\d+)(?:\/(.+))?$/.exec(target) ?? [];
  if (domain === undefined) end(64, "Unrecognized target specifier.");
  if (verb === "bootstrap") {
    const [, defined] = /<key>Label<\/key>\s*<string>([^<]+)/.exec(fs.readFileSync(words[2], "utf8"));
    if (state.agents[defined] !== undefined) end(5, "Bootstrap failed: 5: Input/output error");
    state.agents[defined] = { isLeaving: false };
    end(0);
  }
  const agent = state.agents[label];
  if (agent === undefined) end(113, `Could not find service "${label}" in domain for user gui: 501`);
  if (verb === "bootout") agent.isLeaving = true;
  if (verb === "print" && agent.isLeaving) delete state.agents[label];
  end(0, `${target} = {\n\tstate = running\n}`);
}

/** Makes and removes the link by which systemd knows what to start. */
function systemctl() {
  const verb = words.find((word) => !word.startsWith("-"));
  const unit = words.at(-1);
  const units = path.join(process.env.XDG_CONFIG_HOME, "systemd", "user");
  const link = path.join(units, "default.target.wants", unit);
  if (state.hasNoUserManager && ["daemon-reload", "restart"].includes(verb)) {
    end(1, "Failed to connect to bus: No medium found");
  }
  if (verb === "enable" || verb === "restart") {
    if (!fs.existsSync(path.join(units, unit))) end(1, `Failed to enable unit: Unit file ${unit} does not exist.`);
  }
  if (verb === "enable") {
    fs.mkdirSync(path.dirname(link), { recursive: true });
    if (!fs.existsSync(link)) fs.symlinkSync(path.join(units, unit), link);
  }
  if (verb === "restart") state.units[unit] = "active";
  if (verb === "disable") {
    fs.rmSync(link, { force: true });
    if (fs.existsSync(path.dirname(link)) && fs.readdirSync(path.dirname(link)).length === 0)
      fs.rmdirSync(path.dirname(link));
    delete state.units[unit];
  }
  if (verb === "is-enabled") end(fs.existsSync(link) ? 0 : 1);
  end(0);
}

function defaults() {
  const [verb, domain, key] = words;
  const value = verb === "read" ? state.preferences[`${domain} ${key}`] : undefined;
  if (value === undefined) end(1, `The domain/default pair of (${domain}, ${key}) does not exist`);
  end(0, value);
}

tools[name]();
