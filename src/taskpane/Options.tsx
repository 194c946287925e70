import { Input, type InputProps, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import {
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useLook } from "./layout";

const useStyles = makeStyles({
  option: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusMedium,
    overflowWrap: "anywhere",
    cursor: "pointer",
    ":hover": { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  active: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    outline: `2px solid ${tokens.colorStrokeFocus2}`,
    outlineOffset: "-2px",
  },
  chosen: { fontWeight: tokens.fontWeightSemibold },
});

export interface Offer {
  value: string;
  /** The field's text for it, e.g. a company's name; default its value. */
  text?: string;
  label: ReactNode;
}

interface OptionsProps extends HTMLAttributes<HTMLDivElement> {
  id: string;
  ref?: Ref<HTMLDivElement>;
  offers: readonly Offer[];
  /** The place of the active option; null for none. */
  active: number | null;
  /** The value of the current option; default the active one. */
  chosen?: string | undefined;
  choose: (place: number) => void;
}

/** Id of an option, for the active descendant of the element with the focus. */
export const toOptionId = (list: string, active: number | null): string | undefined =>
  active === null ? undefined : `${list}-${active}`;

/** A list of options; the focus and the keys are elsewhere, or the list's own by `tabIndex`. */
export function Options({ id, ref, offers, active, chosen, choose, ...list }: OptionsProps) {
  const styles = useStyles();
  const line = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active option may be out of sight
  useLayoutEffect(() => {
    line.current?.scrollIntoView?.({ block: "nearest" }); // returns a promise in new browsers, which is no cleanup
  }, [active]);
  return (
    <div ref={ref} id={id} role="listbox" {...list}>
      {offers.map(({ value, label }, place) => {
        const isActive = place === active;
        const isChosen = chosen !== undefined && value === chosen;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the element with the focus has the keys
          <div
            key={value}
            ref={isActive || (active === null && isChosen) ? line : undefined}
            id={toOptionId(id, place)}
            role="option"
            tabIndex={-1}
            aria-selected={chosen === undefined ? isActive : isChosen}
            data-active={isActive || undefined}
            className={mergeClasses(styles.option, isChosen && styles.chosen, isActive && styles.active)}
            onMouseDown={(event) => event.preventDefault()} // the focus stays
            onClick={() => choose(place)}
          >
            {label}
          </div>
        );
      })}
    </div>
  );
}

interface OptionKeysOptions {
  /** The number of options. */
  count: number;
  /** The option that is active until a key moves to another; null for none. */
  first: number | null;
  /** Whether the list shows; default true. */
  isOpen?: boolean;
  /** Takes an option, by its place. */
  take: (place: number) => void;
}

/** The active option of a list, and the keys that move to it and take it. */
interface OptionKeys {
  active: number | null;
  /** Makes an option active; null for the first one again. */
  go: (place: number | null) => void;
  /** Handles a key of the element that has the focus; a key that it used is prevented. */
  press: (event: KeyboardEvent) => void;
}

/** Arrows move through a list, from its end to its beginning too, and Enter takes the active option. */
export function useOptionKeys({ count, first, isOpen = true, take }: OptionKeysOptions): OptionKeys {
  const [reached, go] = useState<number | null>(null);
  const active = !isOpen || count === 0 ? null : reached === null ? first : Math.min(reached, count - 1);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || count === 0) return; // an input method handles the keys
    if (event.key === "ArrowDown") go(active === null ? 0 : (active + 1) % count);
    else if (event.key === "ArrowUp") go(((active ?? 0) + count - 1) % count);
    else if (event.key === "Escape" && reached !== null) go(null);
    else if (event.key === "Enter" && active !== null) take(active);
    else return;
    event.preventDefault();
  };
  return { active, go, press };
}

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
  const look = useLook();
  return (
    <Input
      {...input}
      className={mergeClasses(look.wide, input.className)}
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
