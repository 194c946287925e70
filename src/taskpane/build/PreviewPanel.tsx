import { Button, Caption1, makeStyles, ProgressBar, Subtitle2, tokens } from "@fluentui/react-components";
import { type FeedCode, FeedError } from "../../client/errors";
import { CURES } from "../../feed/cures";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import { pickError, type ShownError, toRows } from "./cell-texts";
import { PreviewTable } from "./PreviewTable";
import type { Preview } from "./use-preview";

const useStyles = makeStyles({
  head: { display: "flex", alignItems: "center", justifyContent: "space-between", minHeight: "32px" },
  heading: { margin: 0 },
  quiet: { color: tokens.colorNeutralForeground3 },
});

interface PreviewPanelProps {
  preview: Preview;
  /** What keeps the formula from being shown, in words; null when nothing does. */
  lack: string | null;
  /** Whether it reads cells, which may have changed. */
  isOfCells: boolean;
  readAgain: () => void;
  /** Shows it although it costs more than a little. */
  want: () => void;
}

/** What a formula shows, before it stands in a cell. */
export function PreviewPanel({ preview, lack, isOfCells, readAgain, want }: PreviewPanelProps) {
  const styles = useStyles();
  const { texts } = usePane();
  const { ofBuild } = texts;
  return (
    <section>
      <div className={styles.head}>
        <Subtitle2 as="h2" className={styles.heading}>
          {ofBuild.preview}
        </Subtitle2>
        {isOfCells && lack === null && (
          <Button size="small" appearance="transparent" onClick={readAgain}>
            {ofBuild.readAgain}
          </Button>
        )}
      </div>
      {lack !== null ? <Caption1 className={styles.quiet}>{lack}</Caption1> : <Seen preview={preview} want={want} />}
    </section>
  );
}

function Seen({ preview, want }: Pick<PreviewPanelProps, "preview" | "want">) {
  const { ofBuild } = usePane().texts;
  const { shown, fault, isCostly } = preview;
  const error = shown === null ? null : pickError(shown);
  if (isCostly) {
    return (
      <>
        <Caption1 block>{ofBuild.costly}</Caption1>
        <Button size="small" onClick={want}>
          {ofBuild.showPreview}
        </Button>
      </>
    );
  }
  if (fault !== null) return <Caption1 block>{fault}</Caption1>;
  if (error !== null) return <Why error={error} />;
  return (
    <>
      {shown !== null && <PreviewTable rows={toRows(shown)} />}
      <Progress preview={preview} />
    </>
  );
}

/** How large it is, or how far it has come. */
function Progress({ preview: { shown, expected } }: Pick<PreviewPanelProps, "preview">) {
  const { ofBuild } = usePane().texts;
  const rows = shown === null ? 0 : toRows(shown).length;
  const columns = shown === null ? 0 : (toRows(shown)[0]?.length ?? 0);
  const isTable = rows * columns > 1;
  const isGrowing = shown === null || expected !== null;
  const sofar = shown === null ? ofBuild.waiting : ofBuild.growing(rows, expected ?? 0);
  return (
    <>
      {isGrowing && (
        <ProgressBar aria-label={ofBuild.preview} {...(expected && { value: Math.min(1, rows / expected) })} />
      )}
      <div role="status">
        <Caption1>{isGrowing ? sofar : isTable && ofBuild.size(rows, columns)}</Caption1>
      </div>
    </>
  );
}

const isCode = (code: string): code is FeedCode => code in CURES;

/** An error as its sentence, with what to do about it; those of other cells have none. */
function Why({ error }: { error: ShownError }) {
  const { texts } = usePane();
  const [, code = "", sentence = ""] = /^(FEED_[A-Z_]+): ([\s\S]*)$/.exec(error.message ?? "") ?? [];
  return <Reason error={isCode(code) ? new FeedError(code, sentence) : (error.message ?? error.code)} texts={texts} />;
}
