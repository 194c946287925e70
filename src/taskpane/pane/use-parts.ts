import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Ports } from "../../client/ports";
import type { Session } from "../../session/session";
import { type Handoffs, type PaneContext, type Part, TABS, type Tab } from "../pane";

/** The shown part, and the visited ones, which keep their input. */
export interface Parts {
  tab: Tab;
  /** Whether the page of settings shows in the place of the tabs. */
  isInSettings: boolean;
  visited: ReadonlySet<Part>;
  handoffs: Partial<Handoffs>;
  open: PaneContext["open"];
  /** Returns from the settings to the tabs. */
  leaveSettings: () => void;
  /** The element that had the focus when the settings opened. */
  opener: RefObject<Element | null>;
}

export function useParts(session: Session): Parts {
  const { ports } = session;
  const [tab, setTab] = useState<Tab>(() => readLastTab(ports));
  const [isInSettings, setInSettings] = useState(false);
  const [visited, setVisited] = useState<ReadonlySet<Part>>(new Set([tab]));
  const [handoffs, setHandoffs] = useState<Partial<Handoffs>>({});
  const opener = useRef<Element>(null);
  const visit = useCallback((part: Part) => {
    setVisited((before) => (before.has(part) ? before : new Set([...before, part])));
  }, []);
  const open = useCallback(
    (part: Part, handoff?: unknown) => {
      visit(part);
      setInSettings(part === "settings");
      if (part === "settings") {
        opener.current = document.activeElement;
        return;
      }
      setTab(part);
      storeLastTab(ports, part);
      if (handoff !== undefined) setHandoffs((before) => ({ ...before, [part]: handoff }));
    },
    [ports, visit],
  ) as PaneContext["open"];
  useUnseenSignIn(session, visit);
  const leaveSettings = useCallback(() => setInSettings(false), []);
  return { tab, isInSettings, visited, handoffs, open, leaveSettings, opener };
}

/** Loads the settings unseen while the page is unpaired: only they sign in silently and learn of a pairing elsewhere. */
function useUnseenSignIn(session: Session, visit: (part: Part) => void): void {
  useEffect(() => {
    const look = () => {
      if (session.state().status === "failed" && session.pairing() === "wanted") visit("settings");
    };
    look();
    return session.subscribe(look);
  }, [session, visit]);
}

/** In the origin's local storage, which a browser may refuse. */
const LAST_TAB = "feed.part";

function readLastTab({ storage }: Ports): Tab {
  try {
    const stored = storage().getItem(LAST_TAB);
    return TABS.find((tab) => tab === stored) ?? TABS[0];
  } catch {
    return TABS[0];
  }
}

function storeLastTab({ storage }: Ports, tab: Tab): void {
  try {
    storage().setItem(LAST_TAB, tab);
  } catch {}
}
