import { Input, type InputProps, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";

const useStyles = makeStyles({
  place: { position: "relative" },
  field: { width: "100%", minWidth: 0 },
  list: {
    position: "absolute",
    zIndex: 2,
    left: 0,
    boxSizing: "border-box",
    width: "max-content",
    minWidth: "100%",
    maxWidth: "18em",
    maxHeight: "16em",
    margin: `${tokens.spacingVerticalXXS} 0 0`,
    padding: tokens.spacingVerticalXXS,
    overflowY: "auto",
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    boxShadow: tokens.shadow8,
  },
  atEnd: { left: "auto", right: 0 },
  option: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusSmall,
    overflowWrap: "anywhere",
    cursor: "pointer",
    ":hover": { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  active: { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: "-2px" },
  chosen: { fontWeight: tokens.fontWeightSemibold },
});

export interface Offer {
  value: string;
  /** The field's text for it, e.g. a company's name; default its value. */
  text?: string;
  label: ReactNode;
}

interface ComboBoxProps extends Omit<InputProps, "value" | "onChange" | "list"> {
  /** The field's text. */
  value: string;
  offers: readonly Offer[];
  /** The value of the current one. */
  chosen?: string;
  /** Whether Enter takes the first proposal unless a key has moved to another; default the one with the written beginning. */
  takesFirst?: boolean;
  onWrite: (written: string) => void;
  onChoose: (value: string) => void;
}

/**
 * A field with a list of proposals that takes other texts too. The toolkit's own needs a positioning engine, which
 * weighs a tenth of the pane. Props of an enclosing Field go to the input.
 */
export function ComboBox({ value, offers, chosen, takesFirst = false, onWrite, onChoose, ...input }: ComboBoxProps) {
  const styles = useStyles();
  const id = useId();
  const list = useOffers({ value, offers, takesFirst, onChoose });
  const isShown = list.isOpen && offers.length > 0;
  return (
    <div className={styles.place}>
      <Input
        {...input}
        className={mergeClasses(styles.field, input.className)}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-activedescendant={isShown && list.active !== null ? `${id}-${list.active}` : undefined}
        value={value}
        onChange={(_, { value: written }) => {
          list.show(true, true);
          onWrite(written);
        }}
        onClick={(event) => {
          list.show(true);
          input.onClick?.(event);
        }}
        onKeyDown={(event) => {
          list.press(event);
          input.onKeyDown?.(event);
        }}
        onBlur={(event) => {
          list.show(false);
          input.onBlur?.(event);
        }}
      />
      {isShown && <List {...{ id, offers, chosen }} active={list.active} choose={list.choose} />}
    </div>
  );
}

/** The active proposal, and the keys that move and choose it. */
function useOffers({ value, offers, takesFirst, onChoose }: Omit<ComboBoxProps, "onWrite">) {
  const [isOpen, setOpen] = useState(false);
  /** Null until a key moves to one. */
  const [reached, setReached] = useState<number | null>(null);
  const [isWritten, setWritten] = useState(false);
  const first = takesFirst && offers.length > 0 ? 0 : findBeginning(offers, value);
  const active = reached ?? (isWritten ? first : null);
  const show = (isShown: boolean, isByWriting = false) => {
    setOpen(isShown);
    setReached(null);
    setWritten(isByWriting);
  };
  const choose = (chosen: string) => {
    show(false);
    onChoose(chosen);
  };
  const step = (by: 1 | -1) => {
    if (!isOpen) show(true);
    const from = active ?? (by === 1 ? -1 : offers.length);
    setReached(Math.min(Math.max(from + by, 0), offers.length - 1));
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // the input method handles the keys
    const offer = isOpen && active !== null ? offers[active] : undefined;
    if (event.key === "Escape" || event.key === "Enter") show(false);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && offer !== undefined) choose(offer.value);
    else return;
    event.preventDefault();
  };
  return { isOpen, active, press, choose, show };
}

function findBeginning(offers: readonly Offer[], written: string): number | null {
  const beginning = written.trim().toLowerCase();
  const index = offers.findIndex(({ value, text = value }) => text.toLowerCase().startsWith(beginning));
  return beginning === "" || index < 0 ? null : index;
}

interface ListProps extends Pick<ComboBoxProps, "offers" | "chosen"> {
  id: string;
  active: number | null;
  choose: (value: string) => void;
}

/** Opens below its field, aligned to the field's end where it would leave the page. */
function List({ id, offers, chosen, active, choose }: ListProps) {
  const styles = useStyles();
  const list = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(false);
  useLayoutEffect(() => {
    const end = list.current?.getBoundingClientRect().right ?? 0;
    if (end > document.documentElement.clientWidth) setAtEnd(true);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active option may be out of sight
  useLayoutEffect(() => {
    const shown = list.current?.querySelector(`[data-active], [aria-selected="true"]`);
    shown?.scrollIntoView?.({ block: "nearest" });
  }, [active]);
  return (
    <div ref={list} id={id} role="listbox" className={mergeClasses(styles.list, isAtEnd && styles.atEnd)}>
      {offers.map(({ value, label }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={value === chosen}
          data-active={index === active || undefined}
          className={mergeClasses(styles.option, value === chosen && styles.chosen, index === active && styles.active)}
          onMouseDown={(event) => event.preventDefault()} // focus stays in the field
          onClick={() => choose(value)}
        >
          {label}
        </div>
      ))}
    </div>
  );
}
