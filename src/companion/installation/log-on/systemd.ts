import { join } from "node:path";
import type { Machine } from "../../machine";
import { toCommand } from "../../program";
import { requireTool, runTool, succeeds } from "../../system-tool";
import type { LogOnStarter } from "./starter";

const UNIT = "feed-for-excel.service";
const NOT_STARTED = "The companion does not start at log-on";

/** Creates the starter by systemd: a unit of the person's own service manager. */
export function createUserUnit({ environment, home, program }: Machine): LogOnStarter {
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
ExecStart=${words.map(quote).join(" ")}
Restart=on-failure
RestartSec=2
NoNewPrivileges=yes
UMask=0077

[Install]
WantedBy=default.target
`;
}

/** Quotes a word of a command line; a percent sign and a dollar would stand for something else. */
const quote = (word: string): string =>
  `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
