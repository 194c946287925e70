/** Texts by which operating systems are told what to start for a person. */

/** Quotes a command line for a systemd unit; a percent sign and a dollar would stand for something else. */
export const toExecStart = (words: readonly string[]): string =>
  words.map((word) => `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`).join(" ");

/**
 * Gives a launchd agent's property list.
 * @param words The command line, its program by an absolute path.
 * @param keys When it starts: further keys with their values, as XML.
 */
export function toPropertyList(label: string, words: readonly string[], keys: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escapeXml(word)}</string>`).join("\n")}
  </array>
${keys}
</dict>
</plist>
`;
}

/** A task of one person, without an administrator's rights. */
interface TaskDefinition {
  /** As `toUser` gives it. */
  user: string;
  /** The command line. */
  words: readonly string[];
  description: string;
  /** When it starts, as XML. */
  triggers: string;
  /** Settings beside those of every task here, as XML. */
  settings: string;
}

/**
 * Gives a task's XML for the Task Scheduler of Windows, with a byte order mark: the tool reads UTF-16 alone where the
 * text names it, and names of people need it.
 */
export function toTask({ user, words, description, triggers, settings }: TaskDefinition): string {
  // PowerShell hides the window that a console program would keep open.
  const line = words.map((word) => `'${word.replaceAll("'", "''")}'`).join(" ");
  const launch = `-NoProfile -WindowStyle Hidden -Command "& ${line}; exit $LASTEXITCODE"`;
  return `\uFEFF<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escapeXml(description)}</Description>
  </RegistrationInfo>
  <Triggers>
${triggers}
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
${settings}
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

/** The person that a task of Windows is for. */
export const toUser = ({ USERDOMAIN = "", USERNAME = "" }: NodeJS.ProcessEnv): string =>
  [USERDOMAIN, USERNAME].filter(Boolean).join("\\");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes a text for an element or an attribute of XML. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
