import { FluentProvider, webDarkTheme, webLightTheme } from "@fluentui/react-components";
import { StrictMode, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { session } from "../session/current";
import { Connect } from "./Connect";
import { isDarkTheme, readDateSystem, readHost, watchTheme } from "./host";
import { toTexts } from "./texts";

/** Opens the pane and connects by itself; outside Excel the page keeps the words that it came with. */
async function open(container: HTMLElement): Promise<void> {
  const host = await readHost();
  if (host === null) {
    container.classList.remove("starting");
    return;
  }
  document.documentElement.lang = host.language;
  createRoot(container).render(
    <StrictMode>
      <Pane language={host.language} />
    </StrictMode>,
  );
  await Promise.all([session.connect(), adoptDateSystem()]);
}

function Pane({ language }: { language: string }) {
  const isDark = useSyncExternalStore(watchTheme, isDarkTheme);
  return (
    <FluentProvider theme={isDark ? webDarkTheme : webLightTheme}>
      <Connect session={session} texts={toTexts(language)} />
    </FluentProvider>
  );
}

/** Formulas that run already are read again when the workbook turns out to count from 1904. */
async function adoptDateSystem(): Promise<void> {
  const dateSystem = await readDateSystem();
  if (dateSystem !== session.settings.dateSystem) session.change({ dateSystem });
}

const container = document.getElementById("pane");
if (container !== null) void open(container);
