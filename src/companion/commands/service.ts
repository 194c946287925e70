import { Argument, type Command, type Option } from "commander";
import { isOfProvider, toSettingName } from "../configuration/settings";
import { SETTING_NAMES } from "../configuration/sources";
import { openInstallation } from "../installation";
import { createLogOnStarter } from "../installation/log-on";
import { toCommand } from "../program";
import { findFolder, findMachine, type Surroundings } from "./surroundings";

const DESCRIPTION = `Starts the companion now and whenever you log on, for you alone: by a systemd user unit on Linux, a launchd agent on
macOS, a scheduled task on Windows. Without a word it says whether that is so. The companion then reads your settings
file, and not what a terminal sets.`;

type State = "on" | "off" | undefined;

/** What a feature has the system do at set times, by options of its own. */
export interface ScheduledWork {
  options: readonly Option[];
  /** @returns whether its options were there; otherwise it has printed what is scheduled, if no state is wanted */
  run(state: State, options: object, surroundings: Surroundings): Promise<boolean>;
}

/** Adds the command that starts the companion at log-on, and a feature's work at its times. */
export function addService(program: Command, surroundings: Surroundings, work?: ScheduledWork): void {
  const command = program
    .command("service")
    .summary("starts the companion whenever you log on, or no longer")
    .description(DESCRIPTION)
    .addArgument(new Argument("[state]", "starts it, or ends it").choices(["on", "off"]));
  for (const option of work?.options ?? []) command.addOption(option);
  command.action(async (state: State, options: object) => {
    if (!(await work?.run(state, options, surroundings))) await run(state, surroundings);
  });
}

async function run(state: State, surroundings: Surroundings): Promise<void> {
  const { print } = surroundings;
  const machine = findMachine(surroundings);
  const installation = openInstallation(machine);
  const starter = createLogOnStarter(machine);
  if (state === "on") {
    await installation.startAtLogOn();
    print(`The companion runs, and starts whenever you log on (${starter.name}).`);
    warnOfSettings(surroundings);
  } else if (state === "off") {
    const wasOn = await installation.endAtLogOn();
    print(wasOn ? "The companion was ended, and no longer starts at log-on." : "It does not start at log-on.");
  } else {
    const isOn = await starter.isEnabled();
    print(isOn ? `On: ${starter.name}.` : `Off. To start the companion at log-on, run: ${toCommand("service on")}`);
  }
}

/** The system starts it without the terminal's environment. */
export function warnOfSettings(surroundings: Surroundings): void {
  const isSetting = (name: string) => isOfProvider(name) || SETTING_NAMES.includes(name);
  const names = [...new Set(Object.keys(surroundings.environment).map(toSettingName))].filter(isSetting);
  if (names.length === 0) return;
  const { settings } = findFolder(surroundings);
  surroundings.print(`It does not see what this terminal sets: ${names.join(", ")}. Write that into ${settings}`);
}
