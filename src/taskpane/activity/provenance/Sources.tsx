import { Button, Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import type { LoggedRequest, Source } from "../../../client/http/request-log";
import { usePane } from "../../pane";
import { useCopy } from "../../use-copy";
import { toMoment } from "./moments";

const useStyles = makeStyles({
  list: { listStyleType: "none", margin: 0, padding: 0 },
  source: { overflowWrap: "anywhere" },
  facts: { color: tokens.colorNeutralForeground3, fontVariantNumeric: "tabular-nums" },
  copy: { minWidth: 0, padding: `0 ${tokens.spacingHorizontalXS}`, fontWeight: tokens.fontWeightRegular },
});

/** A request as it is told: of an earlier session less is known than the log has. */
type Told = Source & Partial<Pick<LoggedRequest, "number" | "tookMs" | "status">>;

/** The requests that an answer came by, with what support asks for. */
export function Sources({ sources }: { sources: readonly Told[] }) {
  const { ofProvenance } = usePane().texts;
  const styles = useStyles();
  if (sources.length === 0) return <Caption1 className={styles.facts}>{ofProvenance.forgotten}</Caption1>;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: without list markers VoiceOver takes it for no list
    <ol className={styles.list} role="list">
      {sources.map((source, index) => (
        <li key={source.number ?? -index} className={styles.source}>
          {source.operation} <Facts source={source} />
          {source.traceId !== null && <TraceId traceId={source.traceId} />}
        </li>
      ))}
    </ol>
  );
}

function Facts({ source: { sentAtMs, tookMs, status } }: { source: Told }) {
  const { ofProvenance, language } = usePane().texts;
  const styles = useStyles();
  const facts = [
    toMoment(sentAtMs, language),
    typeof tookMs === "number" && ofProvenance.took(tookMs),
    typeof status === "number" && ofProvenance.status(status),
  ];
  return <span className={styles.facts}>{facts.filter(Boolean).join(" · ")}</span>;
}

function TraceId({ traceId }: { traceId: string }) {
  const { ofProvenance } = usePane().texts;
  const styles = useStyles();
  const text = useRef<HTMLSpanElement>(null);
  const copy = useCopy();
  const select = () => text.current && getSelection()?.selectAllChildren(text.current);
  return (
    <>
      {" · traceId "}
      <span ref={text}>{traceId}</span>{" "}
      <Button className={styles.copy} size="small" appearance="subtle" onClick={() => void copy(traceId, select)}>
        {ofProvenance.copyTraceId}
      </Button>
    </>
  );
}
