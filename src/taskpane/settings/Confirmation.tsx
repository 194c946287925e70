import { useEffect, useRef, useState } from "react";
import { Message } from "../layout";
import { Failure } from "../Reason";

interface ConfirmationProps {
  words: { title: string; text: string; yes: string; no: string };
  /** Runs when the person confirms; a rejection shows in the bar. */
  confirm: () => Promise<void>;
  cancel: () => void;
}

/** A warning with its consequences and two buttons; the harmless button takes the focus. */
export function Confirmation({ words, confirm, cancel }: ConfirmationProps) {
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => bar.current?.querySelector("button")?.focus(), []);
  const submit = async () => {
    setBusy(true);
    try {
      await confirm();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  const actions = [
    { label: words.no, act: cancel },
    { label: words.yes, isBusy, act: () => void submit() },
  ];
  return (
    <Message ref={bar} intent="warning" role="group" aria-label={words.title} actions={actions}>
      <strong>{words.title}</strong> {words.text}
      <Failure error={failure} />
    </Message>
  );
}
