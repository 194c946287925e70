import { FluentProvider, webDarkTheme, webLightTheme } from "@fluentui/react-components";
import { type ComponentProps, StrictMode, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { PLAYGROUND_WORKBOOK, type Workbook } from "../contract/workbook";
import { session } from "../session/current";
import type { Session } from "../session/session";
import { answerRibbon } from "./commands/office";
import { isDarkTheme, persistSettings, readHost, readPersistedSettings, watchTheme } from "./host";
import { Pane } from "./Pane";
import type { PaneContext } from "./pane";
import { loadParts } from "./pane/Panel";
import { toTexts } from "./texts";
import { createExcelWorkbook } from "./workbook";

/** Opens the pane and connects; outside Excel the page keeps its static text. */
async function open(container: HTMLElement): Promise<void> {
  const host = await readHost();
  if (host === null) {
    container.classList.remove("starting");
    return;
  }
  document.documentElement.lang = host.language;
  const serve = answerRibbon();
  const workbook = findWorkbook();
  session.adopt(readPersistedSettings());
  session.subscribe(persistProvider(session, persistSettings));
  createRoot(container).render(
    <StrictMode>
      <Themed
        session={session}
        workbook={workbook}
        host={host}
        texts={toTexts(host.language)}
        persist={persistSettings}
        serve={serve}
      />
    </StrictMode>,
  );
  // Pages are cached last, since caching loads the first page's files again.
  await Promise.all([session.connect().then(loadParts).then(cachePages), adoptDateSystem(workbook)]);
}

/** The pane in the theme of Excel. */
function Themed(surroundings: ComponentProps<typeof Pane>) {
  const isDark = useSyncExternalStore(watchTheme, isDarkTheme);
  return (
    <FluentProvider theme={isDark ? webDarkTheme : webLightTheme}>
      <Pane {...surroundings} />
    </FluentProvider>
  );
}

/** The playground's workbook where the pane is open in it, else Excel's. */
function findWorkbook(): Workbook {
  const given = (window as { [PLAYGROUND_WORKBOOK]?: Workbook })[PLAYGROUND_WORKBOOK];
  return given ?? createExcelWorkbook();
}

/** Running formulas are read again where the workbook counts from 1904. */
async function adoptDateSystem(workbook: Workbook): Promise<void> {
  session.change({ dateSystem: await workbook.readDateSystem() });
}

const WORKER = "/offline.js";

/** Browsers with trusted types report a script address that is plain text. */
const { trustedTypes } = window as {
  trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(address: string): string } };
};

/** Caches the pages' files by a worker; without one, only opening without a network is lost. */
async function cachePages(): Promise<void> {
  try {
    const policy = trustedTypes?.createPolicy("offline", { createScriptURL: () => WORKER });
    await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER);
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage([location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)]);
  } catch {
    // an address without https, a private window, or a browser without service workers
  }
}

/** Stores the provider of the workbook's figures, each time it changes. */
export function persistProvider(session: Pick<Session, "settings">, persist: PaneContext["persist"]): () => void {
  let persisted = session.settings.provider;
  return () => {
    const { provider } = session.settings;
    if (provider === null || provider === persisted) return;
    persisted = provider;
    persist({ provider }).catch(() => {}); // without storage, the next opening only lacks this check
  };
}

const container = document.getElementById("pane");
if (container !== null) void open(container);
