import { FluentProvider, webDarkTheme, webLightTheme } from "@fluentui/react-components";
import { StrictMode, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { session } from "../session/current";
import { Connect } from "./Connect";
import { type Host, isDarkTheme, keepSettings, readDateSystem, readHost, readKeptSettings, watchTheme } from "./host";
import { Names } from "./Names";
import { toTexts } from "./texts";
import { Workbook } from "./Workbook";

/** Opens the pane and connects by itself; outside Excel the page keeps the words that it came with. */
async function open(container: HTMLElement): Promise<void> {
  const host = await readHost();
  if (host === null) {
    container.classList.remove("starting");
    return;
  }
  document.documentElement.lang = host.language;
  session.change(readKeptSettings());
  createRoot(container).render(
    <StrictMode>
      <Pane host={host} />
    </StrictMode>,
  );
  await Promise.all([session.connect(), adoptDateSystem()]);
}

function Pane({ host }: { host: Host }) {
  const isDark = useSyncExternalStore(watchTheme, isDarkTheme);
  const texts = toTexts(host.language);
  return (
    <FluentProvider theme={isDark ? webDarkTheme : webLightTheme}>
      <Connect session={session} texts={texts}>
        <Names session={session} texts={texts} />
        <Workbook session={session} host={host} keep={keepSettings} texts={texts} />
      </Connect>
    </FluentProvider>
  );
}

/** Formulas that run already are read again when the workbook turns out to count from 1904. */
async function adoptDateSystem(): Promise<void> {
  session.change({ dateSystem: await readDateSystem() });
}

const container = document.getElementById("pane");
if (container !== null) void open(container);
