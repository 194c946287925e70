import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import type { LoggedRequest } from "../../client/http/request-log";
import { PlainList, useLook } from "../layout";
import { usePane } from "../pane";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  list: { fontSize: tokens.fontSizeBase200 },
  request: {
    display: "grid",
    gridTemplateColumns: "auto minmax(0, 1fr) auto",
    columnGap: tokens.spacingHorizontalS,
    "@media (max-width: 300px)": { columnGap: tokens.spacingHorizontalXS },
    padding: `${tokens.spacingVerticalXXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    lineHeight: tokens.lineHeightBase200,
  },
  facts: { gridColumn: "2 / -1" },
});

interface RequestListProps {
  requests: readonly LoggedRequest[];
  /** Number of formulas that each request serves, by its number. */
  served: ReadonlyMap<number, number>;
}

/** Logged requests, each with its outcome. */
export function RequestList({ requests, served }: RequestListProps) {
  const { texts } = usePane();
  const styles = useStyles();
  const look = useLook();
  const numbers = mergeClasses(look.muted, look.numbers);
  return (
    <PlainList className={styles.list} reversed>
      {requests.map((request) => (
        <li key={request.number} className={styles.request}>
          <span className={numbers}>{toTime(request.sentAtMs, texts)}</span>
          <span className={look.breaking}>{request.operation}</span>
          <span className={mergeClasses(numbers, isFailure(request) && look.bad)}>{toStatus(request, texts)}</span>
          <span className={mergeClasses(look.muted, look.breaking, styles.facts)}>
            {toFacts(request, served, texts)}
          </span>
        </li>
      ))}
    </PlainList>
  );
}

const toTime = (timeMs: number, { language }: Texts): string =>
  new Date(timeMs).toLocaleTimeString(language, { hourCycle: "h23" });

const isFailure = ({ outcome }: LoggedRequest): boolean => outcome?.startsWith("FEED_") ?? false;

function toStatus({ status, outcome }: LoggedRequest, { ofActivity }: Texts): string {
  if (outcome === null) return ofActivity.underWay;
  if (outcome === "left") return ofActivity.left;
  return status === null ? "–" : String(status);
}

function toFacts(request: LoggedRequest, served: RequestListProps["served"], { ofActivity }: Texts): string {
  const { kind, tookMs, bytes, number, outcome, traceId } = request;
  const facts = [
    tookMs !== null && ofActivity.took(tookMs),
    bytes > 0 && ofActivity.bytes(bytes),
    kind === "credentials" ? ofActivity.credentials : served.has(number) && ofActivity.serves(served.get(number) ?? 0),
    isFailure(request) && outcome,
    traceId !== null && `traceId ${traceId}`,
  ];
  return facts.filter(Boolean).join(" · ");
}
