import { Field, Input, makeStyles } from "@fluentui/react-components";
import type { KeyboardEvent, RefObject } from "react";
import { usePane } from "../pane";

const useStyles = makeStyles({
  field: { flex: "1 1 auto", minWidth: 0 },
  input: { minWidth: 0 },
});

interface SearchFieldProps {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  write: (text: string) => void;
  /** Takes the keys that move through what was found. */
  press: (event: KeyboardEvent) => void;
  /** Is told when an input method begins and ends to put a word together. */
  setComposing: (isComposing: boolean) => void;
  /** Id of the list of what was found; null while there is none. */
  list: string | null;
  /** Id of the line that Enter opens. */
  option: string | null;
}

/** The field for names, tickers and numbers, which keeps the focus while arrow keys move through the list below. */
export function SearchField({ field, text, write, press, setComposing, list, option }: SearchFieldProps) {
  const { ofFind } = usePane().texts;
  const styles = useStyles();
  return (
    <Field label={ofFind.company} className={styles.field}>
      <Input
        ref={field}
        className={styles.input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={list !== null}
        aria-controls={list ?? undefined}
        aria-activedescendant={option ?? undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={ofFind.companyHint}
        value={text}
        onChange={(_, { value }) => write(value)}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
        onKeyDown={(event) => !event.nativeEvent.isComposing && press(event)}
      />
    </Field>
  );
}
