import { Button, Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { useId, useRef, useState } from "react";
import { readSnapshot } from "../activity/snapshot";
import { Heading, Hint, Row, Stack } from "../layout";
import { useCopy, usePane } from "../pane";
import { runInSlices } from "../slices";
import { TextArea } from "../TextArea";
import { toSupportText } from "./support-text";

const useStyles = makeStyles({
  text: { height: "16em", fontSize: tokens.fontSizeBase100, whiteSpace: "pre" },
});

/** A text for support, previewed before it is copied. */
export function Support() {
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
