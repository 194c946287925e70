import { Button, MessageBar, MessageBarActions, MessageBarBody, Spinner } from "@fluentui/react-components";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { Ports } from "../../client/ports";
import type { Session } from "../../session/session";
import { Connect } from "../Connect";
import { type Handoffs, PARTS, type PaneContext, type Part, usePane } from "../pane";

type Show = (handoffs: Partial<Handoffs>) => ReactNode;

/** Each part but the first is a script of its own, so that the first one shows early. */
const SCRIPTS: Readonly<Record<Exclude<Part, "connect">, () => Promise<Show>>> = {
  async find() {
    const { Find } = await import(/* webpackChunkName: "find" */ "../Find");
    return ({ find }) => <Find handoff={find} />;
  },
  async build() {
    const { Build } = await import(/* webpackChunkName: "build" */ "../Build");
    return ({ build }) => <Build handoff={build} />;
  },
  async sheets() {
    const { Sheets } = await import(/* webpackChunkName: "sheets" */ "../Sheets");
    return ({ sheets }) => <Sheets handoff={sheets} />;
  },
  async activity() {
    const { Activity } = await import(/* webpackChunkName: "activity" */ "../Activity");
    return ({ activity }) => <Activity handoff={activity} />;
  },
};

const loaded = new Map<Part, Show>([["connect", () => <Connect />]]);

async function loadPart(part: Part): Promise<void> {
  if (part !== "connect" && !loaded.has(part)) loaded.set(part, await SCRIPTS[part]());
}

/** Loads the scripts of all parts, so that each opens at once; opening a part retries a failed one. */
export async function loadParts(): Promise<void> {
  await Promise.allSettled(PARTS.map(loadPart));
}

/** A part, once its script has loaded. */
export function Panel({ part, handoffs }: { part: Part; handoffs: Partial<Handoffs> }) {
  const { texts } = usePane();
  const [state, setState] = useState<"loading" | "loaded" | "failed">(loaded.has(part) ? "loaded" : "loading");
  const load = useCallback(async () => {
    setState("loading");
    await loadPart(part).then(
      () => setState("loaded"),
      () => setState("failed"),
    );
  }, [part]);
  useEffect(() => {
    if (!loaded.has(part)) void load();
  }, [part, load]);
  if (state === "loading") return <Spinner size="small" />;
  if (state === "loaded") return loaded.get(part)?.(handoffs);
  const text = texts.ofCommands.partMissing(texts.parts[part]);
  return <PartFailure text={text} label={texts.ofCommands.retry} retry={() => void load()} />;
}

/** Shown in the place of a part that failed, with a button that tries again. */
export function PartFailure({ text, label, retry }: { text: string; label: string; retry: () => void }) {
  return (
    <MessageBar intent="error" layout="multiline" role="alert">
      <MessageBarBody>{text}</MessageBarBody>
      <MessageBarActions>
        <Button size="small" onClick={retry}>
          {label}
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}

/** The shown part, and the visited ones, which keep their input. */
export function useParts(session: Session) {
  const [part, setPart] = useState<Part>("connect");
  const [visited, setVisited] = useState<ReadonlySet<Part>>(new Set(["connect"]));
  const [handoffs, setHandoffs] = useState<Partial<Handoffs>>({});
  const { ports } = session;
  const open = useCallback(
    (shown: Part, handoff?: unknown) => {
      storeLastPart(ports, shown);
      setPart(shown);
      setVisited((before) => new Set([...before, shown]));
      if (handoff !== undefined) setHandoffs((before) => ({ ...before, [shown]: handoff }));
    },
    [ports],
  ) as PaneContext["open"];
  useReturn(session, open);
  return { part, visited, handoffs, open };
}

/** Reopens the last part once the pane has connected, unless the person acts first. */
function useReturn(session: Session, open: (part: Part) => void): void {
  const isOver = useRef(false);
  useEffect(() => {
    const last = readLastPart(session.ports);
    const look = () => {
      const { status } = session.state();
      if (isOver.current || status === "idle" || status === "connecting") return;
      isOver.current = true;
      if (status === "connected" && last !== null && !hasFocus()) open(last);
    };
    look();
    return session.subscribe(look);
  }, [session, open]);
}

const hasFocus = () => document.activeElement !== document.body && document.activeElement !== null;

/** In the origin's local storage, which a browser may refuse. */
const LAST_PART = "feed.part";

function readLastPart({ storage }: Ports): Part | null {
  try {
    const stored = storage().getItem(LAST_PART);
    return PARTS.find((part) => part === stored) ?? null;
  } catch {
    return null;
  }
}

function storeLastPart({ storage }: Ports, part: Part): void {
  try {
    storage().setItem(LAST_PART, part);
  } catch {}
}
