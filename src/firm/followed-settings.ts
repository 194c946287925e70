import type { FastifyInstance } from "fastify";
import { SETTINGS, type Settings } from "../companion/configuration/settings";
import type { FollowedSettings } from "../companion/feature";
import { readState } from "../companion/store";
import { FIRM_SETTINGS } from "./settings";

const LOOK_MS = 10_000;
const LIVE: readonly string[] = [...SETTINGS.live, ...FIRM_SETTINGS.live];

/**
 * Checks every ten seconds and on SIGHUP for a changed settings file, or file of a key, passphrase, roles or
 * certificate. It applies the whole change, or nothing where it is invalid.
 * @param hasTerminal At a terminal SIGHUP ends the companion, as it ends every program there.
 */
export function followSettings(app: FastifyInstance, { path, read }: FollowedSettings, hasTerminal = false): void {
  const { log } = app;
  let inForce = read().settings;
  let followed = inForce;
  let seen = toMarks(followed, path);
  const look = () => {
    if (toMarks(followed, path) === seen) return;
    // Marked before reading, by the files that the settings now name: a later change shows at the next check.
    followed = read().settings;
    seen = toMarks(followed, path);
    const { settings, mistakes, use } = read();
    const fixed = listFixed(inForce, settings);
    if (mistakes.length > 0) {
      log.error({ mistakes }, "The changed settings do not serve; the former ones stay in force, roles among them.");
    } else if (fixed.length > 0) {
      log.error({ settings: fixed }, "These settings changed, which needs a restart; the former ones stay in force.");
    } else {
      const kid = use();
      inForce = settings;
      log.info({ kid }, "The changed settings are in force.");
    }
  };
  const timer = setInterval(look, LOOK_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  if (!hasTerminal) onHangUp(app, look);
}

/** Lists changed settings that need a restart; switching https on or off is one. */
function listFixed(before: Settings, after: Settings): string[] {
  const isFixed = (name: string) => (name.startsWith("TLS_") ? !before[name] !== !after[name] : !LIVE.includes(name));
  return Object.keys({ ...before, ...after }).filter((name) => isFixed(name) && before[name] !== after[name]);
}

/** Gives a text that changes with any of the files, or with the target of a link. */
function toMarks(settings: Settings, path = ""): string {
  const named = Object.keys(settings).filter((name) => LIVE.includes(name) && name.endsWith("_FILE"));
  const paths = [path, ...named.sort().map((name) => settings[name] ?? "")];
  return paths.map((each) => `${each} ${readState(each)?.mark}`).join("\n");
}

/** Calls a function on each SIGHUP, which tells a service to reload its files, while the companion runs. */
export function onHangUp(app: FastifyInstance, act: () => void): void {
  process.on("SIGHUP", act);
  app.addHook("onClose", async () => void process.off("SIGHUP", act));
}
