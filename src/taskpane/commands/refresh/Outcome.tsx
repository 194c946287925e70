import { Link } from "@fluentui/react-components";
import type { Refreshed } from "../../../feed/query-cache";
import type { LiveCall } from "../../activity/live-calls";
import { showPlace } from "../../addresses";
import { useVisit } from "../../changes/visit";
import { usePane } from "../../pane";
import { Reason } from "../../Reason";
import { toRefreshedText } from "../../refreshed";
import { Changed } from "./Changed";
import type { RefreshReport } from "./report";

interface OutcomeProps {
  refreshed: Refreshed;
  /** Number of refetched answers. */
  done: number;
  report: RefreshReport;
  /** Number of cells that match no live formula. */
  unknown: number;
}

/** A refresh's result: formulas refreshed and failed with their cells, changed cells, and formulas to correct. */
export function Outcome({ refreshed, done, report, unknown }: OutcomeProps) {
  const { session, texts, open } = usePane();
  const { ofRefresh, gap } = texts;
  const { failed, wrong, cells } = report;
  const reason = failed.find(({ error }) => error !== null)?.error ?? null;
  const show = () => open("changes");
  return (
    <>
      {toText()}
      {!refreshed.isCancelled && failed.length > 0 && <Places failed={failed} />}
      {unknown > 0 && `${gap}${ofRefresh.someUnknown(unknown)}`}
      <Changed {...{ session, texts, open, cells }} />
      {wrong.length > 0 && (
        <>
          {gap}
          <Link as="button" inline onClick={show}>
            {ofRefresh.toCorrect(wrong.length)}
          </Link>
        </>
      )}
      {!refreshed.isCancelled && reason !== null && <Reason error={reason} />}
    </>
  );

  function toText(): string {
    if (refreshed.isCancelled) return ofRefresh.cancelled(done, refreshed.refetched);
    if (refreshed.held !== undefined) return toRefreshedText(refreshed, texts);
    if (failed.length > 0) return ofRefresh.failed(failed.length, report.refreshed + failed.length);
    return report.refreshed > 0 ? ofRefresh.refreshed(report.refreshed) : "";
  }
}

const MOST_NAMED = 5;

/** Links to the cells of the failed formulas. */
function Places({ failed }: { failed: readonly LiveCall[] }) {
  const { texts, open } = usePane();
  const { ofRefresh, gap } = texts;
  const visit = useVisit();
  const placed = failed.flatMap(({ call, key, place }) => (place === null ? [] : [{ call, key, place }]));
  const left = failed.length - Math.min(placed.length, MOST_NAMED);
  return (
    <>
      {placed.slice(0, MOST_NAMED).map(({ call, key, place }, index) => (
        <span key={key}>
          {index === 0 ? ofRefresh.colon : ofRefresh.comma}
          <Link as="button" inline onClick={() => void visit(call.name, place)}>
            {showPlace(place)}
          </Link>
        </span>
      ))}
      {left > 0 && (
        <>
          {placed.length === 0 ? ofRefresh.colon : gap}
          <Link as="button" inline onClick={() => open("changes")}>
            {placed.length === 0 ? ofRefresh.whatFailed : ofRefresh.others(left)}
          </Link>
        </>
      )}
      {ofRefresh.stop}
    </>
  );
}
