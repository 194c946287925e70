import { statSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { type Configuration, readAllSettings } from "./configuration";
import { SETTING_NAMES } from "./configuration/known-settings";
import { KINDS, type Settings, TLS_SETTINGS } from "./configuration/settings";
import type { SettingsFiles } from "./configuration/sources";
import { FEATURES } from "./features";
import { onHangUp } from "./reload-on-sighup";

const LOOK_MS = 10_000;
/** Further settings that apply without a restart, beside keys, passphrases and the certificate. */
const LIVE = ["LOG_LEVEL", ...FEATURES.flatMap(({ live }) => live)];

interface FollowOptions {
  /** As `process.env`. */
  environment: Settings;
  /** The files of settings. */
  files: SettingsFiles;
  /** Applies settings. */
  use: (changed: Configuration) => void;
  /** At a terminal SIGHUP ends the companion, as it ends every program there. */
  hasTerminal?: boolean;
  /** Milliseconds between two checks; default 10000. */
  everyMs?: number;
}

/**
 * Checks every ten seconds and on SIGHUP for a changed settings file, or file of a key, passphrase, roles or
 * certificate. It applies the whole change, or nothing where it is invalid.
 */
export function followSettings(app: FastifyInstance, options: FollowOptions): void {
  const { environment, files, use, hasTerminal, everyMs = LOOK_MS } = options;
  const read = () => readAllSettings(environment, files, Date.now());
  const path = files.administrators ?? (typeof files.own === "string" ? files.own : undefined);
  const { log } = app;
  let inForce = read().settings;
  let followed = inForce;
  let seen = toMarks(followed, path);
  const look = () => {
    if (toMarks(followed, path) === seen) return;
    // Marked before reading, by the files that the settings now name: a later change shows at the next check.
    followed = read().settings;
    seen = toMarks(followed, path);
    const { settings, configuration, mistakes } = read();
    const fixed = listFixed(inForce, settings);
    if (mistakes.length > 0) {
      log.error({ mistakes }, "The changed settings do not serve; the former ones stay in force, roles among them.");
    } else if (fixed.length > 0) {
      log.error({ settings: fixed }, "These settings changed, which needs a restart; the former ones stay in force.");
    } else {
      use(configuration);
      inForce = settings;
      log.info({ kid: configuration.provider?.client.signers[0].keyId }, "The changed settings are in force.");
    }
  };
  const timer = setInterval(look, everyMs).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  if (!hasTerminal) onHangUp(app, look);
}

const isLive = (name: string): boolean => KINDS.flat().includes(name) || LIVE.includes(name);

/** Lists changed settings that need a restart; switching https on or off is one. */
function listFixed(before: Settings, after: Settings): string[] {
  const isFixed = (name: string) => (TLS_SETTINGS.includes(name) ? !before[name] !== !after[name] : !isLive(name));
  return SETTING_NAMES.filter((name) => isFixed(name) && before[name] !== after[name]);
}

/** Gives a text that changes with any of the files, or with the target of a link. */
function toMarks(settings: Settings, path = ""): string {
  const named = SETTING_NAMES.filter((name) => isLive(name) && name.endsWith("_FILE"));
  const paths = [path, ...named.map((name) => settings[name] ?? "")];
  return paths.map((each) => `${each} ${toMark(each)}`).join("\n");
}

function toMark(path: string): string {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [dev, ino, size, mtimeMs, ctimeMs].join(" ");
  } catch {
    return "absent";
  }
}
