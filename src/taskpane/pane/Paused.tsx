import { Button, Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import type { Pause } from "../../client/http/families";
import { useFocusKept } from "../focus";
import { usePane } from "../pane";
import { countFailed } from "./failed";
import { Told } from "./Told";
import { usePauses } from "./use-pauses";

const useStyles = makeStyles({
  line: {
    display: "flex",
    alignItems: "flex-start",
    columnGap: tokens.spacingHorizontalS,
    margin: `0 0 ${tokens.spacingVerticalXXS}`,
    color: tokens.colorNeutralForeground2,
  },
  text: { flexGrow: 1, minWidth: 0 },
  time: { display: "inline-block", fontVariantNumeric: "tabular-nums" },
  now: { flexShrink: 0, minWidth: 0, minHeight: 0, paddingBlock: 0 },
});

const REASONS = ["asked", "failing", "unreachable"] as const;

type Reason = (typeof REASONS)[number];

/** Which data is left alone, why, and until when: a line for all that is left alone for the same. */
export function Paused() {
  const { session } = usePane();
  const pauses = usePauses(session);
  const place = useRef<HTMLDivElement>(null);
  useFocusKept(place, pauses);
  // Without a network nothing is tried, which another line says.
  const shown = session.offlineSinceMs() === null ? pauses : [];
  return (
    <Told ref={place}>
      {REASONS.map((reason) => ({ reason, alike: shown.filter((pause) => toReason(pause) === reason) }))
        .filter(({ alike }) => alike.length > 0)
        .map((line) => (
          <Line key={line.reason} {...line} />
        ))}
    </Told>
  );
}

function toReason({ code }: Pause): Reason {
  if (code === "FEED_RATE_LIMITED") return "asked";
  return code === "FEED_SERVER_FAILED" ? "failing" : "unreachable";
}

/** The time is a timer, which screen readers read when asked to, and not each second. */
function Line({ reason, alike }: { reason: Reason; alike: readonly Pause[] }) {
  const { session, texts } = usePane();
  const styles = useStyles();
  const words = texts.ofPauses;
  const families = alike.map(({ family }) => family);
  const leftMs = Math.max(...alike.map(({ untilMs }) => untilMs)) - session.ports.nowMs();
  const goesOn = alike.length === 1 ? words.goesOn : words.allGoOn;
  return (
    <div className={styles.line}>
      <Caption1 className={styles.text}>
        {words.reasons[reason](families.map((family) => texts.families[family]))}
        {texts.gap}
        {words.failed(countFailed(session, families))}
        {texts.gap}
        <span role="timer" className={styles.time}>
          {leftMs > 0 ? goesOn(toCountdown(leftMs)) : words.trying}
        </span>
      </Caption1>
      {reason !== "asked" && (
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
    </div>
  );
}

/** As a kitchen timer has it: "1:05", "1:00:00". */
function toCountdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const toDigits = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${toDigits(minutes)}` : minutes}:${toDigits(seconds % 60)}`;
}
