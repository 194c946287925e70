import { Input, type InputProps, makeStyles, mergeClasses } from "@fluentui/react-components";
import type { Ref } from "react";
import { toOptionId } from "./Options";

const useStyles = makeStyles({ field: { width: "100%", minWidth: 0 } });

interface ComboFieldProps extends Omit<InputProps, "value" | "onChange" | "list"> {
  ref?: Ref<HTMLInputElement>;
  value: string;
  /** Id of the list of options; null while it does not show. */
  list: string | null;
  /** The place of the active option; null for none. */
  active: number | null;
  onWrite: (written: string) => void;
}

/** A text field that keeps the focus while its keys move through a list. */
export function ComboField({ value, list, active, onWrite, ...input }: ComboFieldProps) {
  const styles = useStyles();
  return (
    <Input
      {...input}
      className={mergeClasses(styles.field, input.className)}
      role="combobox"
      autoComplete="off"
      spellCheck={false}
      aria-autocomplete="list"
      aria-expanded={list !== null}
      aria-controls={list ?? undefined}
      aria-activedescendant={list === null ? undefined : toOptionId(list, active)}
      value={value}
      onChange={(_, { value: written }) => onWrite(written)}
    />
  );
}
