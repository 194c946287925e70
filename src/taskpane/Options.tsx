import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type HTMLAttributes, type ReactNode, type Ref, useLayoutEffect, useRef } from "react";

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
