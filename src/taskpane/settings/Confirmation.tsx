import { Button, MessageBar, MessageBarBody, MessageBarTitle, mergeClasses } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { Row, useLook } from "../layout";
import { Failure } from "../Reason";

interface ConfirmationProps {
  words: { title: string; text: string; yes: string; no: string };
  /** Runs when the person confirms; a rejection shows in the bar. */
  confirm: () => Promise<void>;
  cancel: () => void;
}

/** A warning with its consequences and two buttons; the harmless button takes the focus. */
export function Confirmation({ words, confirm, cancel }: ConfirmationProps) {
  const look = useLook();
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => safe.current?.focus(), []);
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await confirm();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{words.title}</MessageBarTitle>
        {words.text}
        <Row className={mergeClasses(look.aboveS, look.belowS)}>
          <Button size="small" ref={safe} onClick={cancel}>
            {words.no}
          </Button>
          <Button size="small" disabledFocusable={isBusy} onClick={() => void submit()}>
            {words.yes}
          </Button>
        </Row>
        <Failure error={failure} />
      </MessageBarBody>
    </MessageBar>
  );
}
