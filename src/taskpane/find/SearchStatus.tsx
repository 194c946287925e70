import { Body1, Button, Link, makeStyles, tokens } from "@fluentui/react-components";
import { FeedError } from "../../client/errors";
import { type Found, useIsSample } from "../company-search";
import { Hint, useLook } from "../layout";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import type { Names } from "./Names";

const useStyles = makeStyles({
  example: { marginLeft: tokens.spacingHorizontalS },
});

interface SearchStatusProps {
  found: Found | null;
  /** The field's text. */
  text: string;
  /** How many companies are most like a text that none matches. */
  closest: number;
  names: Names;
  write: (text: string) => void;
  onCountry: (country: string) => void;
}

/** The status of a search: the number of results, or advice. Screen readers announce it. */
export function SearchStatus(props: SearchStatusProps) {
  const look = useLook();
  const { ofFind } = usePane().texts;
  const { found, text, names, closest } = props;
  const isSample = useIsSample();
  const isEmpty = found?.companies.length === 0 && found.error === null;
  return (
    <div>
      <div role="status">
        {text.trim() === "" && <Body1 block>{ofFind.begin}</Body1>}
        {found !== null && found.companies.length > 0 && (
          <Hint block>{ofFind.found(found.companies.length, found.isAll)}</Hint>
        )}
        {isEmpty && (
          <Body1 block>
            {ofFind.nobody(found.text, found.country)} {isSample && ofFind.onlySample}
          </Body1>
        )}
        {isEmpty && closest > 0 && <Hint block>{ofFind.closest(closest)}</Hint>}
        <Failure error={found?.error ?? null} isConnected={names.isConnected} />
      </div>
      {isEmpty && found.country !== "ALL" && (
        <Button size="small" className={look.aboveS} onClick={() => props.onCountry("ALL")}>
          {ofFind.searchAll}
        </Button>
      )}
      {text.trim() === "" && <Examples write={props.write} />}
      {!names.isConnected && (
        <Body1 block className={look.aboveS}>
          {ofFind.notConnected}
        </Body1>
      )}
    </div>
  );
}

/** The error of a search; a missing index and a missing connection show elsewhere. */
function Failure({ error, isConnected }: { error: unknown; isConnected: boolean }) {
  if (error === null || !isConnected) return null;
  if (error instanceof FeedError && error.code === "FEED_INDEX_NOT_READY") return null;
  return <Reason error={error} />;
}

/** Only the companies of the sample data are known in advance. */
const EXAMPLES = ["Sakura", "高島"];

function Examples({ write }: Pick<SearchStatusProps, "write">) {
  const { texts } = usePane();
  const styles = useStyles();
  const isSample = useIsSample();
  if (!isSample) return null;
  return (
    <Body1 block>
      {texts.ofFind.examples}
      {EXAMPLES.map((example) => (
        <Link key={example} as="button" className={styles.example} onClick={() => write(example)}>
          {example}
        </Link>
      ))}
    </Body1>
  );
}
