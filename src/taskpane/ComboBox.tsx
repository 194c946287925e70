import { type InputProps, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type ComponentProps, type KeyboardEvent, type Ref, useId, useLayoutEffect, useRef, useState } from "react";
import { ComboField, type Offer, Options, useOptionKeys } from "./Options";

const useStyles = makeStyles({
  place: { position: "relative" },
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
});

interface ComboBoxProps extends Omit<InputProps, "value" | "onChange" | "list"> {
  ref?: Ref<HTMLInputElement>;
  /** The field's text. */
  value: string;
  offers: readonly Offer[];
  /** The value of the current one. */
  chosen?: string;
  /** The proposal that Enter takes unless a key has moved to another; default the one with the written beginning. */
  takes?: "first" | "beginning" | "none";
  onWrite: (written: string) => void;
  onChoose: (value: string) => void;
}

/**
 * A field with a list of proposals that takes other texts too. The toolkit's own needs a positioning engine, which
 * weighs a tenth of the pane. Props of an enclosing Field go to the input.
 */
export function ComboBox({ value, offers, chosen, takes = "beginning", onWrite, onChoose, ...input }: ComboBoxProps) {
  const styles = useStyles();
  const id = useId();
  const list = useOffers({ value, offers, takes, onChoose });
  const isShown = list.isOpen && offers.length > 0;
  return (
    <div className={styles.place}>
      <ComboField
        {...input}
        value={value}
        list={isShown ? id : null}
        active={list.active}
        onWrite={(written) => {
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

/** The active proposal, and the keys that open the list, move in it and choose. */
function useOffers({ value, offers, takes = "beginning", onChoose }: Omit<ComboBoxProps, "onWrite">) {
  const [isOpen, setOpen] = useState(false);
  const [isWritten, setWritten] = useState(false);
  const best = takes === "beginning" ? findBeginning(offers, value) : takes === "first" && offers.length > 0 ? 0 : null;
  const choose = (place: number) => {
    show(false);
    onChoose((offers[place] as Offer).value);
  };
  const keys = useOptionKeys({ count: offers.length, first: isWritten ? best : null, isOpen, take: choose });
  const show = (isShown: boolean, isByWriting = false) => {
    setOpen(isShown);
    keys.go(null);
    setWritten(isByWriting);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // the input method handles the keys
    if (event.key === "Escape") return show(false);
    if (event.key === "Enter") show(false);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") setOpen(true);
    keys.press(event);
  };
  return { isOpen, active: keys.active, press, choose, show };
}

function findBeginning(offers: readonly Offer[], written: string): number | null {
  const beginning = written.trim().toLowerCase();
  const index = offers.findIndex(({ value, text = value }) => text.toLowerCase().startsWith(beginning));
  return beginning === "" || index < 0 ? null : index;
}

/** Opens below its field, aligned to the field's end where it would leave the page. */
function List(props: ComponentProps<typeof Options>) {
  const styles = useStyles();
  const list = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(false);
  useLayoutEffect(() => {
    const end = list.current?.getBoundingClientRect().right ?? 0;
    if (end > document.documentElement.clientWidth) setAtEnd(true);
  }, []);
  return <Options {...props} ref={list} className={mergeClasses(styles.list, isAtEnd && styles.atEnd)} />;
}
