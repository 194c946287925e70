import { FluentProvider, webDarkTheme, webLightTheme } from "@fluentui/react-components";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { session } from "../session/current";
import { Connect } from "./Connect";
import { readHost } from "./host";
import { toTexts } from "./texts";

/** Opens the pane: it learns what Excel tells of the workbook, then connects by itself. */
async function open(container: HTMLElement): Promise<void> {
  const host = await readHost();
  if (host.dateSystem !== session.settings.dateSystem) session.change({ dateSystem: host.dateSystem });
  document.documentElement.lang = host.language;
  createRoot(container).render(
    <StrictMode>
      <FluentProvider theme={host.isDark ? webDarkTheme : webLightTheme}>
        <Connect session={session} texts={toTexts(host.language)} />
      </FluentProvider>
    </StrictMode>,
  );
  await session.connect();
}

const container = document.getElementById("pane");
if (container !== null) void open(container);
