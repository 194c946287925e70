import { FluentProvider, webDarkTheme, webLightTheme } from "@fluentui/react-components";
import { type ComponentProps, StrictMode, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { findPlaygroundWorkbook, isDarkTheme, watchTheme } from "./host";
import { Pane } from "./Pane";
import { toTexts } from "./texts";
import { createExcelWorkbook } from "./workbook";
import { readLocalFormulas } from "./workbook/reading";

export { loadParts } from "./Pane";

type Surroundings = ComponentProps<typeof Pane>;

/** Renders the pane in the language of its host. */
export function renderPane(container: HTMLElement, given: Omit<Surroundings, "workbook" | "texts">): void {
  const workbook = findPlaygroundWorkbook() ?? createExcelWorkbook();
  if (findPlaygroundWorkbook() === undefined) readLocalFormulas(given.session);
  createRoot(container).render(
    <StrictMode>
      <Themed {...given} workbook={workbook} texts={toTexts(given.host.language)} />
    </StrictMode>,
  );
}

/** The pane in the theme of Excel. */
function Themed(surroundings: Surroundings) {
  const isDark = useSyncExternalStore(watchTheme, isDarkTheme);
  return (
    <FluentProvider
      theme={isDark ? webDarkTheme : webLightTheme}
      style={{ colorScheme: isDark ? "dark" : "light" }} // for what the browser draws
    >
      <Pane {...surroundings} />
    </FluentProvider>
  );
}
