import { statSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { type Configuration, readAllSettings } from "./configuration";
import { SETTINGS, type Setting, type Settings } from "./configuration/settings";
import type { SettingsFiles } from "./configuration/sources";
import { onHangUp } from "./reload-on-sighup";

const LOOK_MS = 10_000;
/** Beside whatever belongs to a key, its passphrase or the certificate. */
const LIVE = ["FEED_ROLES_FILE", "LOG_LEVEL"];

interface FollowOptions {
  /** As `process.env`. */
  environment: Settings;
  /** Where settings come from besides. */
  files: SettingsFiles;
  /** Puts settings in force. */
  use: (changed: Configuration) => void;
  /** At a terminal a hang-up ends the companion, as it ends every program there. */
  hasTerminal?: boolean;
  /** Milliseconds between two looks; default 10000. */
  everyMs?: number;
}

/**
 * Looks, every ten seconds and on SIGHUP, whether the settings file, or a file of a key, a passphrase, roles or a
 * certificate, is another one or holds something else, and has the change put in force: all of it, or nothing where it
 * does not serve.
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
    // Marked before it is read, and as the settings now name files: what changes in between shows at the next look.
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

const isLive = ({ name, kind }: Setting): boolean => kind !== undefined || LIVE.includes(name);

/** Which settings differ that hold as long as the program runs, https itself among them. */
function listFixed(before: Settings, after: Settings): string[] {
  const isFixed = (setting: Setting) =>
    setting.kind === "tls" ? !before[setting.name] !== !after[setting.name] : !isLive(setting);
  return SETTINGS.filter((setting) => isFixed(setting) && before[setting.name] !== after[setting.name]).map(
    ({ name }) => name,
  );
}

/** One text that is another as soon as any file is: a link that leads elsewhere counts as well. */
function toMarks(settings: Settings, path = ""): string {
  const named = SETTINGS.filter((setting) => isLive(setting) && setting.name.endsWith("_FILE"));
  const paths = [path, ...named.map(({ name }) => settings[name] ?? "")];
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
