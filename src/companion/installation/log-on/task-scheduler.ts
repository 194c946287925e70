import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Machine } from "../../machine";
import { toCommand } from "../../program";
import { requireTool, runTool, succeeds } from "../../system-tool";
import type { LogOnStarter } from "./starter";
import { escapeXml } from "./xml";

const TASK = "FEED for Excel";
const NOT_STARTED = "The companion does not start at log-on";

/** Creates the starter by the Task Scheduler of Windows: a task of the person, without an administrator's rights. */
export function createLogOnTask({ environment, program }: Machine): LogOnStarter {
  const options = { environment };
  return {
    name: `the scheduled task "${TASK}"`,
    async enable() {
      const folder = mkdtempSync(join(tmpdir(), "feed-task-"));
      try {
        const path = join(folder, "task.xml");
        // The tool reads UTF-16 alone where the text names it, and names of people need it.
        writeFileSync(path, `\uFEFF${toTask(toUser(environment), program)}`, "utf16le");
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

/** A trigger that names no user is for everybody, which takes an administrator. */
const toUser = ({ USERDOMAIN = "", USERNAME = "" }: NodeJS.ProcessEnv): string =>
  [USERDOMAIN, USERNAME].filter(Boolean).join("\\");

function toTask(user: string, program: readonly string[]): string {
  // PowerShell hides the window that a console program would keep open.
  const words = [...program, "start", "--https"].map((word) => `'${word.replaceAll("'", "''")}'`).join(" ");
  const launch = `-NoProfile -WindowStyle Hidden -Command "& ${words}; exit $LASTEXITCODE"`;
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Starts the companion of FEED for Excel. To remove it, run: ${toCommand("service off")}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>3</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>powershell.exe</Command>
      <Arguments>${escapeXml(launch)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}
