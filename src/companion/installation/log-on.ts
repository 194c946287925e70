import type { Machine } from "../machine";
import { createLaunchAgent } from "./log-on/launchd";
import type { LogOnStarter } from "./log-on/starter";
import { createUserUnit } from "./log-on/systemd";
import { createLogOnTask } from "./log-on/task-scheduler";

/** Creates the starter of this operating system. */
export function createLogOnStarter(machine: Machine): LogOnStarter {
  if (machine.platform === "win32") return createLogOnTask(machine);
  return machine.platform === "darwin" ? createLaunchAgent(machine) : createUserUnit(machine);
}
