import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Machine, requireTool, runTool, succeeds, untilFails } from "../machine";
import { toCommand } from "../program";
import { escapeXml, toExecStart, toPropertyList, toTask, toUser } from "./definitions";

/** Creates the starter of this operating system. */
export function createLogOnStarter(machine: Machine): LogOnStarter {
  if (machine.platform === "win32") return createLogOnTask(machine);
  return machine.platform === "darwin" ? createLaunchAgent(machine) : createUserUnit(machine);
}

/** What starts the companion when the person logs on. */
interface LogOnStarter {
  /** The system's name for it, in sentences. */
  name: string;
  /** The file that defines it; absent where the system keeps the definition itself. */
  file?: { path: string; text: string };
  /** Has the system read the definition, and starts the companion. @throws Error of the system's tool */
  enable(): Promise<void>;
  /** Ends the companion, and has the system forget it. */
  disable(): Promise<void>;
  /** Has the system notice that the file is gone. */
  afterRemoval(): Promise<void>;
  isEnabled(): Promise<boolean>;
}

const UNIT = "feed-for-excel.service";
const NOT_STARTED = "The companion does not start at log-on";

/** Creates the starter by systemd: a unit of the person's own service manager. */
function createUserUnit({ environment, home, program }: Machine): LogOnStarter {
  const control = (...words: string[]) => ["--user", ...words];
  const options = { environment };
  const path = join(environment.XDG_CONFIG_HOME || join(home, ".config"), "systemd", "user", UNIT);
  return {
    name: `the systemd user unit ${UNIT}`,
    file: { path, text: toUnit([...program, "start", "--https"]) },
    async enable() {
      await requireTool(NOT_STARTED, "systemctl", control("daemon-reload"), options);
      await requireTool(NOT_STARTED, "systemctl", control("enable", UNIT), options);
      // A unit that runs already starts anew, by its present definition.
      await requireTool(NOT_STARTED, "systemctl", control("restart", UNIT), options);
    },
    async disable() {
      await runTool("systemctl", control("disable", "--now", UNIT), options);
    },
    async afterRemoval() {
      await runTool("systemctl", control("daemon-reload"), options);
    },
    isEnabled: () => succeeds("systemctl", control("is-enabled", "--quiet", UNIT), options),
  };
}

function toUnit(words: string[]): string {
  return `# Written by FEED for Excel. To remove it, run: ${toCommand("service off")}
[Unit]
Description=FEED for Excel, companion

[Service]
Type=exec
ExecStart=${toExecStart(words)}
Restart=on-failure
RestartSec=2
# It runs already.
RestartPreventExitStatus=4
NoNewPrivileges=yes
UMask=0077

[Install]
WantedBy=default.target
`;
}

const LABEL = "feed-for-excel.companion";

/** Creates the starter by launchd: an agent of the person's graphical session. */
function createLaunchAgent({ environment, home, program }: Machine): LogOnStarter {
  const options = { environment };
  const path = join(home, "Library", "LaunchAgents", `${LABEL}.plist`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const service = `${domain}/${LABEL}`;
  const isLoaded = () => succeeds("launchctl", ["print", service], options);
  return {
    name: `the launchd agent ${LABEL}`,
    file: { path, text: toPropertyList(LABEL, [...program, "start", "--https"], WHILE_IT_FAILS) },
    async enable() {
      await unload();
      await requireTool(NOT_STARTED, "launchctl", ["bootstrap", domain, path], options);
    },
    disable: unload,
    afterRemoval: async () => {},
    isEnabled: isLoaded,
  };

  /** launchd unloads a service after its tool has ended, and loads none that is still there. */
  async function unload(): Promise<void> {
    if (!(await isLoaded())) return;
    await runTool("launchctl", ["bootout", service], options);
    await untilFails("launchctl", ["print", service], options);
  }
}

const WHILE_IT_FAILS = `  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>Umask</key>
  <integer>63</integer>`;

const TASK = "FEED for Excel";

/** Creates the starter by the Task Scheduler of Windows: a task of the person, without an administrator's rights. */
function createLogOnTask({ environment, program }: Machine): LogOnStarter {
  const options = { environment };
  return {
    name: `the scheduled task "${TASK}"`,
    async enable() {
      const folder = mkdtempSync(join(tmpdir(), "feed-task-"));
      try {
        const path = join(folder, "task.xml");
        writeFileSync(path, toLogOnTask(toUser(environment), program), "utf16le");
        await requireTool(NOT_STARTED, "schtasks", ["/Create", "/TN", TASK, "/XML", path, "/F"], options);
      } finally {
        rmSync(folder, { recursive: true });
      }
      await requireTool(NOT_STARTED, "schtasks", ["/Run", "/TN", TASK], options);
    },
    async disable() {
      await runTool("schtasks", ["/End", "/TN", TASK], options);
      await runTool("schtasks", ["/Delete", "/TN", TASK, "/F"], options);
    },
    afterRemoval: async () => {},
    isEnabled: () => succeeds("schtasks", ["/Query", "/TN", TASK], options),
  };
}

function toLogOnTask(user: string, program: readonly string[]): string {
  return toTask({
    user,
    words: [...program, "start", "--https"],
    description: `Starts the companion of FEED for Excel. To remove it, run: ${toCommand("service off")}`,
    // A trigger that names no user is for everybody, which takes an administrator.
    triggers: `    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>`,
    settings: `    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>3</Count>
    </RestartOnFailure>`,
  });
}
