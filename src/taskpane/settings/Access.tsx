import { Button, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { type AccessState, openAccess, PROBE_KINDS } from "../../session/access";
import { Fold } from "../Fold";
import { Hint, Row, useLook } from "../layout";
import { usePane } from "../pane";
import { toAgo } from "../texts/quantities";
import { Check, type CheckStatus, Checks } from "./Check";
import { toTime } from "./Journey";

const useStyles = makeStyles({
  own: { minWidth: 0, marginLeft: tokens.spacingHorizontalS },
});

const STATUSES: Record<AccessState["status"], CheckStatus> = {
  unknown: "waiting",
  asking: "running",
  allowed: "done",
  refused: "refused",
  failed: "failed",
};

/** The families of data that the client may read, probed where unknown. */
export function Access({ connectedAtMs }: { connectedAtMs: number }) {
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
      <Checks label={words.title}>
        {PROBE_KINDS.map((family) => (
          <Family key={family} label={words.families[family]} state={states[family]} />
        ))}
        <WalkThrough state={states.walkThrough} />
      </Checks>
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
