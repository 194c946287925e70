import { Button, Caption1, Link, makeStyles, tokens } from "@fluentui/react-components";
import { Children, type ReactNode, type Ref, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { FeedError } from "../../client/errors";
import type { Pause, Server } from "../../client/http/families";
import type { Query } from "../../feed/query-cache";
import type { Shown } from "../../session/calls";
import type { Session } from "../../session/session";
import { useStableFocus } from "../focus";
import { Row } from "../layout";
import { usePane } from "../pane";
import { toTime } from "../texts/quantities";

const useStyles = makeStyles({
  line: { margin: `0 0 ${tokens.spacingVerticalXXS}`, color: tokens.colorNeutralForeground2 },
  text: { flexGrow: 1, minWidth: 0 },
  link: { fontSize: "inherit" },
  time: { display: "inline-block", fontVariantNumeric: "tabular-nums" },
  now: { flexShrink: 0, minWidth: 0, minHeight: 0, paddingBlock: 0 },
});

const REASONS = ["rateLimited", "failing", "unreachable"] as const;

type Reason = (typeof REASONS)[number];

/** The paused families of data, one line per reason, with the end of the pause. */
export function Paused({ pauses }: { pauses: readonly Pause[] }) {
  const { session } = usePane();
  const place = useRef<HTMLDivElement>(null);
  useStableFocus(place, pauses);
  // Without a network nothing is tried, as another line says.
  const shown = session.offlineSinceMs() === null ? pauses : [];
  return (
    <Announcement ref={place}>
      {REASONS.map((reason) => ({ reason, alike: shown.filter((pause) => toReason(pause) === reason) }))
        .filter(({ alike }) => alike.length > 0)
        .map((line) => (
          <Line key={line.reason} {...line} />
        ))}
    </Announcement>
  );
}

function toReason({ code }: Pause): Reason {
  if (code === "FEED_RATE_LIMITED") return "rateLimited";
  return code === "FEED_SERVER_FAILED" ? "failing" : "unreachable";
}

/** The time is a timer, which screen readers do not read each second. */
function Line({ reason, alike }: { reason: Reason; alike: readonly Pause[] }) {
  const { session, texts } = usePane();
  const styles = useStyles();
  const words = texts.ofPauses;
  const families = alike.map(({ family }) => family);
  const leftMs = Math.max(...alike.map(({ untilMs }) => untilMs)) - session.ports.nowMs();
  const goesOn = alike.length === 1 ? words.goesOn : words.allGoOn;
  return (
    <Row align="start" isOneLine className={styles.line}>
      <Caption1 className={styles.text}>
        {words.reasons[reason](families.map((family) => texts.families[family]))}
        {texts.gap}
        {words.failed(countFailed(session, families))}
        {texts.gap}
        <span role="timer" className={styles.time}>
          {leftMs > 0 ? goesOn(toCountdown(leftMs)) : words.trying}
        </span>
      </Caption1>
      {reason !== "rateLimited" && (
        <Button
          size="small"
          appearance="subtle"
          className={styles.now}
          disabledFocusable={leftMs <= 0}
          onClick={session.pauses.tryNow}
        >
          {words.tryNow}
        </Button>
      )}
    </Row>
  );
}

/** Formats a countdown: "1:05", "1:00:00". */
function toCountdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const toDigits = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${toDigits(minutes)}` : minutes}:${toDigits(seconds % 60)}`;
}

const TICK_MS = 1_000;

/** A shorter pause does not show, since the pane would flicker. */
const SHORTEST_SHOWN_MS = 2_000;

/** A line stays this long after its pause, until the next attempt decides. */
const STAYS_MS = 500;

interface Seen {
  pause: Pause;
  sinceMs: number;
  /** When it was listed last. */
  lastMs: number;
  isShown: boolean;
}

/** The pauses that are long enough to show, updated each second. */
export function usePauses({ ports, pauses, subscribe }: Session): readonly Pause[] {
  const [shown, show] = useState<readonly Pause[]>([]);
  useEffect(() => {
    const seen = new Map<Pause["family"], Seen>();
    let callOff = () => {};
    const look = () => {
      callOff();
      const list = pauses.list();
      see(seen, list, ports.nowMs());
      const visible = [...seen.values()].flatMap(({ pause, isShown }) => (isShown ? pause : []));
      show((before) => (before.length === 0 && visible.length === 0 ? before : visible));
      const delayMs = list.length < seen.size ? STAYS_MS : TICK_MS;
      callOff = seen.size === 0 ? () => {} : ports.after(delayMs, look);
    };
    look();
    const stop = subscribe(look);
    return () => {
      stop();
      callOff();
    };
  }, [ports, pauses, subscribe]);
  return shown;
}

/** Records the present pauses and removes ended ones; during an attempt a pause ends now. */
function see(seen: Map<Pause["family"], Seen>, list: readonly Pause[], nowMs: number): void {
  for (const pause of list) {
    const { sinceMs, isShown } = seen.get(pause.family) ?? { sinceMs: nowMs, isShown: false };
    const untilMs = Math.max(pause.untilMs, nowMs);
    const isLong = untilMs - sinceMs >= SHORTEST_SHOWN_MS;
    seen.set(pause.family, { pause: { ...pause, untilMs }, sinceMs, lastMs: nowMs, isShown: isShown || isLong });
  }
  for (const [family, one] of seen) {
    if (list.some((pause) => pause.family === family)) continue;
    if (Math.abs(nowMs - one.lastMs) >= STAYS_MS) seen.delete(family);
    else seen.set(family, { ...one, pause: { ...one.pause, untilMs: nowMs } });
  }
}

/** States since when there is no network. */
export function Offline() {
  const { session, texts } = usePane();
  const sinceMs = useSyncExternalStore(session.subscribe, session.offlineSinceMs);
  return (
    <Warning>
      {sinceMs !== null && texts.ofOffline.since(toTime(sinceMs, session.ports.nowMs(), texts.language))}
    </Warning>
  );
}

/** Warns that nothing is stored on this computer, and leads to the remedy. */
export function Storage() {
  const { session, texts, open } = usePane();
  const styles = useStyles();
  const { activity, persistedData } = session.feed;
  const hindrance = useSyncExternalStore(activity.onChange, persistedData.hindrance);
  return (
    <Warning>
      {hindrance !== null && (
        <>
          {texts.ofSettings.persisted.nothing[hindrance].what}{" "}
          <Link as="button" className={styles.link} onClick={() => open("settings")}>
            {texts.cure}
          </Link>
        </>
      )}
    </Warning>
  );
}

/** A line of text in the head; false for none. */
function Warning({ children }: { children: ReactNode }) {
  const styles = useStyles();
  return (
    <Announcement>
      {children !== false && (
        <Caption1 as="p" block className={styles.line}>
          {children}
        </Caption1>
      )}
    </Announcement>
  );
}

/** Counts the cells that show an error caused by some families; all others keep what they show. */
function countFailed({ feed, calls }: Session, families: readonly Server[]): number {
  const isMeant = (error: unknown) => {
    const cause = feed.families.findCause(error);
    return cause !== undefined && families.includes(cause.family);
  };
  const codes = new Set<string>();
  for (const { error } of feed.queryCache.failed()) if (isMeant(error)) codes.add(error.code);
  if (codes.size === 0) return 0;
  const hasFailed = (query: Query<unknown>) => {
    const state = feed.queryCache.find(query)?.state;
    return state !== undefined && state.status !== "pending" && isMeant(state.error as FeedError | null);
  };
  const failed = calls.list().filter(({ queries, shown }) => shown !== null && queries.some(hasFailed));
  return failed.reduce((count, { shown }) => count + countErrors(shown as Shown, codes), 0);
}

/** A formula may show other errors beside those of the outage. */
function countErrors(shown: Shown, codes: ReadonlySet<string>): number {
  const cells: readonly unknown[] = Array.isArray(shown) ? shown.flat() : [shown];
  return cells.filter((cell) => {
    const { message } = Object(cell) as { message?: unknown };
    return typeof message === "string" && codes.has(message.split(":", 1)[0] ?? "");
  }).length;
}

const useAnnouncementStyles = makeStyles({ place: { flexBasis: "100%", minWidth: 0 } });

interface AnnouncementProps {
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/**
 * A live region of the head. It is always mounted, so that screen readers announce its content; empty, it
 * has no role.
 */
function Announcement({ children, ref }: AnnouncementProps) {
  const isEmpty = Children.toArray(children).length === 0;
  return (
    <div ref={ref} role={isEmpty ? undefined : "status"} aria-live="polite" className={useAnnouncementStyles().place}>
      {children}
    </div>
  );
}
