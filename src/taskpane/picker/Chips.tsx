import { Button, Caption1, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { isCompanyId } from "../../client/ids";
import { Row, useLook } from "../layout";
import { usePane } from "../pane";
import { ResolvedNames } from "../this-cell/Resolved";
import { Candidates } from "./Candidates";
import { listWritten, useCompanyNames, withoutCompany, withReplaced } from "./company-writing";
import { type CompanyContent, useReadCompanies } from "./read-companies";

const useStyles = makeStyles({
  chips: { margin: `${tokens.spacingVerticalXS} 0 0`, padding: 0, listStyleType: "none" },
  item: { maxWidth: "100%", minWidth: 0 },
  chip: { maxWidth: "100%", minWidth: 0, overflowWrap: "anywhere", textAlign: "start" },
  doubtful: {
    border: `1px dashed ${tokens.colorStatusWarningBorder2}`,
    color: tokens.colorStatusWarningForeground2,
    backgroundColor: tokens.colorStatusWarningBackground1,
  },
});

interface ChipsProps extends Omit<CompanyContent, "isList"> {
  /** The field above, which takes the focus after the last chip. */
  input: RefObject<HTMLInputElement | null>;
  /** Takes a doubtful text back into the field. */
  correct: (text: string) => void;
}

/** The chosen companies as chips: a sound one is removed, a doubtful one shows the companies that it may mean. */
export function Chips({ written, needs, change, input, correct }: ChipsProps) {
  const { remember, isDoubtful } = useCompanyNames();
  const companies = listWritten(written);
  const [opened, setOpened] = useState<string | null>(null);
  const doubtful = companies.filter(isDoubtful);
  const first = doubtful[0] === undefined ? 0 : companies.indexOf(doubtful[0]);
  const keys = useChipKeys({ companies, first, input, remove: (company) => remove(company) });
  useNamesOfIds(companies);
  const close = (company: string) => {
    keys.focusLater(companies.indexOf(company));
    setOpened(null);
  };
  const remove = (company: string) => {
    close(company);
    change(withoutCompany(written, company));
  };
  const shown = opened !== null && doubtful.includes(opened) ? opened : null;
  const press = (company: string) => {
    if (!doubtful.includes(company)) return remove(company);
    setOpened(shown === company ? null : company);
  };
  return (
    <>
      <Count chosen={companies.length} doubtful={doubtful.length} />
      {companies.length > 0 && <List {...{ companies, keys, press }} opened={shown} />}
      {shown !== null && (
        <Candidates
          key={shown}
          text={shown}
          needs={needs}
          choose={(company) => {
            remember([company]);
            close(shown);
            change(withReplaced(written, shown, company.id));
          }}
          remove={() => remove(shown)}
          searchAgain={() => {
            correct(shown);
            input.current?.focus();
          }}
          close={() => close(shown)}
        />
      )}
      <ResolvedNames names={companies} needs={needs} />
    </>
  );
}

interface ListProps {
  companies: readonly string[];
  keys: ReturnType<typeof useChipKeys>;
  /** The company whose candidates show; null for none. */
  opened: string | null;
  press: (company: string) => void;
}

function List({ companies, keys, opened, press }: ListProps) {
  const styles = useStyles();
  const { ofPicker } = usePane().texts;
  return (
    <Row as="ul" ref={keys.list} gap="XS" aria-label={ofPicker.chosen} className={styles.chips}>
      {companies.map((company, place) => (
        <li key={company} className={styles.item}>
          <Chip
            company={company}
            isOpen={company === opened}
            tabIndex={place === keys.stop ? 0 : -1}
            onFocus={() => keys.setStop(place)}
            onKeyDown={(event) => keys.press(event, place)}
            onClick={() => press(company)}
          />
        </li>
      ))}
    </Row>
  );
}

interface ChipProps {
  company: string;
  /** Whether its candidates show. */
  isOpen: boolean;
  tabIndex: number;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onClick: () => void;
}

function Chip({ company, isOpen, ...button }: ChipProps) {
  const styles = useStyles();
  const { ofPicker } = usePane().texts;
  const { nameOf, isDoubtful } = useCompanyNames();
  const isWrong = isDoubtful(company);
  const name = nameOf(company) ?? company;
  return (
    <Button
      {...button}
      size="small"
      className={mergeClasses(styles.chip, isWrong && styles.doubtful)}
      aria-label={isWrong ? ofPicker.choose(name) : ofPicker.remove(name)}
      aria-expanded={isWrong ? isOpen : undefined}
    >
      {name} {isWrong ? "?" : "×"}
    </Button>
  );
}

/** The number of chosen companies, for screen readers alone unless some are in doubt. */
function Count({ chosen, doubtful }: { chosen: number; doubtful: number }) {
  const look = useLook();
  const { chosenCount } = usePane().texts.ofPicker;
  return (
    <div role="status" className={doubtful === 0 ? look.unseen : undefined}>
      {chosen > 0 && <Caption1>{chosenCount(chosen, doubtful)}</Caption1>}
    </div>
  );
}

interface ChipKeysOptions extends Pick<ChipsProps, "input"> {
  companies: readonly string[];
  /** The place of the tab stop until another chip has the focus. */
  first: number;
  remove: (company: string) => void;
}

/**
 * One chip is a tab stop, and arrows move to the others. Backspace and Delete remove a chip; the focus then goes to the
 * chip in its place, and behind the last one to the field.
 */
function useChipKeys({ companies, first, input, remove }: ChipKeysOptions) {
  const list = useRef<HTMLUListElement>(null);
  const [reached, setStop] = useState<number | null>(null);
  const wanted = useRef<number | null>(null);
  const focus = (place: number) => {
    const chips = list.current?.querySelectorAll<HTMLElement>("li > button");
    const chip = chips?.[Math.min(place, chips.length - 1)];
    (chip ?? input.current)?.focus();
  };
  useEffect(() => {
    if (wanted.current === null) return;
    focus(wanted.current);
    wanted.current = null;
  });
  const press = (event: KeyboardEvent, place: number) => {
    const company = companies[place];
    if (event.key === "ArrowLeft" && place > 0) focus(place - 1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") input.current?.focus();
    else if (event.key === "ArrowRight") focus(place + 1);
    else if ((event.key === "Backspace" || event.key === "Delete") && company !== undefined) remove(company);
    else return;
    event.preventDefault();
  };
  return {
    list,
    stop: Math.min(reached ?? first, companies.length - 1),
    setStop,
    press,
    /** Focuses a place once the list has changed. */
    focusLater(place: number) {
      wanted.current = place;
    },
  };
}

/** Names the companies that a field has by id, where the index of the settings' country is open: without a request. */
function useNamesOfIds(companies: readonly string[]): void {
  const { session } = usePane();
  const { nameOf, remember } = useCompanyNames();
  const read = useReadCompanies();
  const unnamed = companies.filter((each) => isCompanyId(each) && nameOf(each) === undefined).join(",");
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other companies are read again
  useEffect(() => {
    const { facts } = session.feed.nameIndexes.state(session.settings.country);
    if (unnamed === "" || facts === null) return;
    void read(unnamed.split(",")).then((all) =>
      remember(all.flatMap(({ text, company }) => (company === null ? [] : [{ id: text, name: company.name }]))),
    );
  }, [session, unnamed]);
}
