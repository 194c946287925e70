import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Machine } from "../../machine";
import { requireTool, runTool, succeeds } from "../../system-tool";
import type { LogOnStarter } from "./starter";
import { escapeXml } from "./xml";

const LABEL = "feed-for-excel.companion";
const NOT_STARTED = "The companion does not start at log-on";
const TRIES = 25;
const PAUSE_MS = 200;

/** Creates the starter by launchd: an agent of the person's graphical session. */
export function createLaunchAgent({ environment, home, program }: Machine): LogOnStarter {
  const options = { environment };
  const path = join(home, "Library", "LaunchAgents", `${LABEL}.plist`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const service = `${domain}/${LABEL}`;
  const isLoaded = () => succeeds("launchctl", ["print", service], options);
  return {
    name: `the launchd agent ${LABEL}`,
    file: { path, text: toPropertyList([...program, "start", "--https"]) },
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
    for (let tries = 0; tries < TRIES && (await isLoaded()); tries += 1) await setTimeout(PAUSE_MS);
  }
}

function toPropertyList(words: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escapeXml(word)}</string>`).join("\n")}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
`;
}
