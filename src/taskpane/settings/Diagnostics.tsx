import { Button, Caption1, makeStyles, mergeClasses, Spinner, tokens } from "@fluentui/react-components";
import { type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { type AccessState, openAccess, PROBE_KINDS } from "../../session/access";
import { type Journey, STEPS, type Step } from "../../session/connecting";
import { RequestList } from "../activity/RequestList";
import { readSnapshot, type Snapshot, useSnapshot } from "../activity/snapshot";
import { Fold } from "../Fold";
import { Heading, Hint, PlainList, Row, Stack, useLook } from "../layout";
import { useCopy, usePane } from "../pane";
import { Reason } from "../Reason";
import { runInSlices } from "../slices";
import { TextArea } from "../TextArea";
import type { Texts } from "../texts";
import { toAgo } from "../texts/quantities";
import { toSupportText } from "./support-text";

const useStyles = makeStyles({
  own: { minWidth: 0, marginLeft: tokens.spacingHorizontalS },
  text: { height: "16em", fontSize: tokens.fontSizeBase100, whiteSpace: "pre" },
  check: { display: "grid", gridTemplateColumns: "20px 1fr auto", columnGap: tokens.spacingHorizontalS },
  mark: {
    boxSizing: "border-box",
    width: "20px",
    height: "20px",
    border: `1px solid ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusCircular,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    lineHeight: "18px",
    textAlign: "center",
  },
  done: {
    color: tokens.colorStatusSuccessForeground3,
    backgroundColor: tokens.colorStatusSuccessBackground1,
    border: `1px solid ${tokens.colorStatusSuccessForeground3}`,
  },
  failed: {
    color: tokens.colorStatusDangerForeground3,
    backgroundColor: tokens.colorStatusDangerBackground1,
    border: `1px solid ${tokens.colorStatusDangerForeground3}`,
  },
  state: { color: tokens.colorNeutralForeground3, whiteSpace: "nowrap", lineHeight: tokens.lineHeightBase300 },
  reason: { gridColumn: "2 / -1" },
});

interface DiagnosticsProps {
  /** Whether the steps of connecting belong here; else they stand beside the connection. */
  isWell: boolean;
  /** Milliseconds since the Unix epoch; null without a connection. */
  connectedAtMs: number | null;
}

/** The steps of connecting, the data that the client may read, the requests, and a text for support. */
export function Diagnostics({ isWell, connectedAtMs }: DiagnosticsProps) {
  const { texts } = usePane();
  return (
    <Stack as="section" gap="M">
      <Heading>{texts.ofSettings.diagnostics}</Heading>
      {isWell && <Steps />}
      {connectedAtMs !== null && <Access connectedAtMs={connectedAtMs} />}
      <Requests />
      <Support />
    </Stack>
  );
}

const STATUSES: Record<AccessState["status"], CheckStatus> = {
  unknown: "waiting",
  asking: "running",
  allowed: "done",
  refused: "refused",
  failed: "failed",
};

/** The families of data that the client may read, probed where unknown. */
function Access({ connectedAtMs }: { connectedAtMs: number }) {
  const { session, texts } = usePane();
  const look = useLook();
  const words = texts.ofSettings.access;
  const access = openAccess(session);
  const states = useSyncExternalStore(access.subscribe, access.state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the result may be outdated at the next connection
  useEffect(() => {
    if (access.state().companies.status === "unknown") void access.probe();
  }, [access, connectedAtMs]);
  const has = (status: AccessState["status"]) => PROBE_KINDS.some((family) => states[family].status === status);
  const isAll = PROBE_KINDS.every((family) => states[family].status === "allowed");
  return (
    <Fold title={words.title} summary={isAll ? words.all : ""} isOpen={has("refused") || has("failed")}>
      <PlainList gap="S" aria-label={words.title}>
        {PROBE_KINDS.map((family) => (
          <Family key={family} label={words.families[family]} state={states[family]} />
        ))}
        <WalkThrough state={states.walkThrough} />
      </PlainList>
      {has("refused") && (
        <Hint block className={look.aboveS}>
          {words.refusedHint}
        </Hint>
      )}
      <Checked isProbing={has("asking")} />
    </Fold>
  );
}

/** The time of the last probe, and a button to repeat it. */
function Checked({ isProbing }: { isProbing: boolean }) {
  const { session, texts } = usePane();
  const look = useLook();
  const words = texts.ofSettings.access;
  const access = openAccess(session);
  const checkedAtMs = useSyncExternalStore(access.subscribe, access.checkedAtMs);
  return (
    <Row align="center" gap="M" isOneLine className={mergeClasses(look.muted, look.aboveS)}>
      {checkedAtMs !== null && !isProbing && (
        <Caption1>{words.checked(toAgo(session.ports.nowMs() - checkedAtMs, texts.language))}</Caption1>
      )}
      <Button size="small" disabledFocusable={isProbing} onClick={() => void access.probe()}>
        {words.again}
      </Button>
    </Row>
  );
}

function Family({ label, state }: { label: ReactNode; state: AccessState }) {
  const { texts } = usePane();
  const { status, tookMs, error } = state;
  const words = texts.ofSettings.access.states;
  const isUnderWay = status === "unknown" || status === "asking";
  const time = tookMs === null ? [] : [toTime(tookMs)];
  const said = isUnderWay
    ? words[status]
    : [words[status], ...time].filter((word) => word !== "").join(texts.language === "ja" ? "、" : ", ");
  return <Check status={STATUSES[status]} sign="" label={label} state={said} error={error} />;
}

/** Probed only on request: a provider may serve everything but this path. */
function WalkThrough({ state }: { state: AccessState }) {
  const { session, texts } = usePane();
  const styles = useStyles();
  const words = texts.ofSettings.access;
  const path = words.families.walkThrough;
  const label = (
    <>
      {path}
      <Hint block>{words.walkThroughHint}</Hint>
    </>
  );
  if (state.status !== "unknown") return <Family label={label} state={state} />;
  const button = (
    <Button
      size="small"
      className={styles.own}
      aria-label={`${words.tryWalkThrough}: ${path}`}
      onClick={() => void openAccess(session).probeWalkThrough()}
    >
      {words.tryWalkThrough}
    </Button>
  );
  return <Check status="waiting" sign="?" label={label} state={button} error={null} />;
}

/** The steps of connecting, each with its state, its time, and on failure the reason and the remedy. */
export function Steps() {
  const { session, texts } = usePane();
  const look = useLook();
  const { status, configuration } = useSyncExternalStore(session.subscribe, session.state);
  const steps = useSyncExternalStore(session.subscribe, session.journey);
  const mode = configuration?.mode ?? "sign";
  const isWell = status === "connected" || status === "disconnected";
  return (
    <Fold title={texts.journey} summary={isWell ? toTime(toTookMs(steps)) : ""} isOpen={!isWell}>
      <PlainList gap="S" aria-label={texts.ofSettings.steps}>
        {STEPS.map((name, index) => (
          <Check
            key={name}
            {...steps[name]}
            sign={String(index + 1)}
            label={texts.steps[mode][name]}
            state={toStateText(steps[name], texts)}
          />
        ))}
      </PlainList>
      <Hint block className={look.aboveS}>
        {texts.journeyHint[mode]}
      </Hint>
    </Fold>
  );
}

/** Formats a duration in milliseconds. */
const toTime = (tookMs: number | null): string => `${Math.round(tookMs ?? 0)} ms`;

const toTookMs = (steps: Journey): number => STEPS.reduce((sum, name) => sum + (steps[name].tookMs ?? 0), 0);

function toStateText({ status, tookMs }: Step, texts: Texts): string {
  if (status === "waiting" || status === "running") return texts[status];
  return status === "failed" ? `${texts.stepFailed}, ${toTime(tookMs)}` : toTime(tookMs);
}

const SHOWN_AT_ONCE = 20;

/** The logged requests, newest first; read once the person unfolds them. */
export function Requests() {
  const { ofActivity } = usePane().texts;
  const [isWanted, setWanted] = useState(false);
  return (
    <Fold title={ofActivity.requests} onOpen={() => setWanted(true)}>
      {isWanted && <Log />}
    </Fold>
  );
}

function Log() {
  const { session, texts } = usePane();
  const place = useRef<HTMLDivElement>(null);
  const snapshot = useSnapshot(session, place);
  return (
    <div ref={place}>
      {snapshot === null ? <Spinner size="small" aria-label={texts.running} /> : <Logged snapshot={snapshot} />}
    </div>
  );
}

function Logged({ snapshot: { requests, served } }: { snapshot: Snapshot }) {
  const { ofActivity } = usePane().texts;
  const look = useLook();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const left = requests.length - shown;
  return (
    <>
      <Hint block className={look.belowXS}>
        {requests.length === 0 ? ofActivity.noRequests : ofActivity.requestsHint}
      </Hint>
      {requests.length > 0 && <RequestList requests={requests.slice(0, shown)} served={served} />}
      {left > 0 && (
        <Button size="small" appearance="subtle" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          {ofActivity.showMore(Math.min(left, SHOWN_AT_ONCE))}
        </Button>
      )}
    </>
  );
}

/** A text for support, previewed before it is copied. */
function Support() {
  const { session, host, texts } = usePane();
  const { ofActivity } = texts;
  const [text, setText] = useState<string | null>(null);
  const prepare = () =>
    void runInSlices(readSnapshot(session), (snapshot) => setText(toSupportText(session, host, snapshot)));
  return (
    <Stack as="section" gap="XS" isAtStart>
      <Heading as="h3" isSmall>
        {ofActivity.support}
      </Heading>
      <Hint>{ofActivity.supportHint}</Hint>
      {text === null ? (
        <Button size="small" onClick={prepare}>
          {ofActivity.prepare}
        </Button>
      ) : (
        <Preview text={text} close={() => setText(null)} />
      )}
    </Stack>
  );
}

function Preview({ text, close }: { text: string; close: () => void }) {
  const { texts } = usePane();
  const { ofActivity } = texts;
  const styles = useStyles();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const copy = useCopy();
  return (
    <>
      <label htmlFor={id}>
        <Caption1>{ofActivity.preview}</Caption1>
      </label>
      <TextArea ref={area} id={id} className={styles.text} readOnly value={text} />
      <Row>
        <Button autoFocus size="small" appearance="primary" onClick={() => void copy(text, area.current)}>
          {ofActivity.copy}
        </Button>
        <Button size="small" onClick={close}>
          {texts.close}
        </Button>
      </Row>
    </>
  );
}

/** The status of a check; a refusal is an answer, not a failure. */
type CheckStatus = "waiting" | "running" | "done" | "refused" | "failed";

interface CheckProps {
  status: CheckStatus;
  /** The mark's text before the check has run. */
  sign: string;
  label: ReactNode;
  /** The status in words, with its time. */
  state: ReactNode;
  /** Why it failed. */
  error: unknown;
}

/** A check with its status, and on failure the reason and the remedy. */
function Check({ status, sign, label, state, error }: CheckProps) {
  const styles = useStyles();
  const look = useLook();
  return (
    <li className={styles.check}>
      <Mark status={status} sign={sign} />
      <span className={look.breaking}>{label}</span>
      <Caption1 className={styles.state}>{state}</Caption1>
      {status === "failed" && (
        <div className={styles.reason}>
          <Reason error={error} />
        </div>
      )}
    </li>
  );
}

/** The status as a sign, with words beside it. */
export function Mark({ status, sign }: { status: CheckStatus; sign: string }) {
  const styles = useStyles();
  if (status === "running") return <Spinner size="extra-tiny" aria-hidden />;
  const look = mergeClasses(styles.mark, status === "done" && styles.done, status === "failed" && styles.failed);
  return (
    <span aria-hidden className={look}>
      {{ waiting: sign, done: "✓", refused: "–", failed: "!" }[status]}
    </span>
  );
}
