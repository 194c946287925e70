import { Body1, Button, Caption1, Field, Input, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { readText, type Row as TreeRow } from "../../feed/decode";
import { foldCode } from "../../feed/names/folded-letters";
import { LEVELS, type Level, readId, type TreeNode, toTreeRows } from "../../feed/taxonomies/tree";
import { Country } from "../Choice";
import { useInsert } from "../insert";
import { Heading, Hint, Row, Stack, useLook } from "../layout";
import { usePane } from "../pane";
import { useQuery } from "../query";
import { toConstituents } from "./inserts";
import { Section } from "./Section";

const useStyles = makeStyles({
  line: {
    display: "flex",
    columnGap: tokens.spacingHorizontalXS,
    padding: `${tokens.spacingVerticalXXS} 0`,
    borderRadius: tokens.borderRadiusMedium,
    cursor: "pointer",
    ":hover": { backgroundColor: tokens.colorNeutralBackground1Hover },
    ":focus-visible": { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: "-2px" },
  },
  chosenLine: { backgroundColor: tokens.colorNeutralBackground1Selected, fontWeight: tokens.fontWeightSemibold },
  fold: { width: "1.2em", flexShrink: 0, textAlign: "center", color: tokens.colorNeutralForeground3 },
});

interface IndustriesProps {
  country: string;
  onCountry: (country: string) => void;
}

/** Finds a sector, sub-sector or industry in the taxonomy, and inserts its companies into cells. */
export function Industries({ country, onCountry }: IndustriesProps) {
  const { session, texts } = usePane();
  const { ofFind } = texts;
  const look = useLook();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<Branch | null>(null);
  const query = useMemo(() => session.feed.taxonomies.queryTree(), [session]);
  const state = useQuery(query);
  return (
    <Stack gap="M">
      <Row align="start" isOneLine>
        <Field label={ofFind.industry} className={look.growing}>
          <Input
            className={look.wide}
            placeholder={ofFind.industryHint}
            value={text}
            onChange={(_, { value }) => setText(value)}
          />
        </Field>
        <Country country={country} onChoose={onCountry} />
      </Row>
      <Section
        title={ofFind.tree}
        level="h2"
        family="tree"
        query={query}
        state={state}
        read={readBranches}
        show={(branches) => <Found {...{ branches, text, chosen }} onChoose={setChosen} />}
      />
      <Chosen branch={chosen} country={country} />
    </Stack>
  );
}

interface FoundProps {
  branches: readonly Branch[];
  text: string;
  chosen: Branch | null;
  onChoose: (branch: Branch) => void;
}

function Found({ branches, text, ...choice }: FoundProps) {
  const { ofFind } = usePane().texts;
  const look = useLook();
  const fitting = pickBranches(branches, text);
  const isSearched = text.trim() !== "";
  return (
    <>
      <div role="status" className={look.muted}>
        {branches.length === 0 && <Body1>{ofFind.noTree}</Body1>}
        {branches.length > 0 && fitting.length === 0 && <Body1>{ofFind.noIndustry(text.trim())}</Body1>}
        {isSearched && fitting.length > 0 && <Caption1>{ofFind.sectors(fitting.length)}</Caption1>}
      </div>
      {fitting.length > 0 && (
        <IndustryTree key={String(isSearched)} branches={fitting} isUnfolded={isSearched} {...choice} />
      )}
    </>
  );
}

/** The chosen node, which stays in sight while the tree scrolls. */
function Chosen({ branch, country }: { branch: Branch | null; country: string }) {
  const { ofFind } = usePane().texts;
  const look = useLook();
  const insert = useInsert();
  if (branch === null) return <Hint>{ofFind.chooseIndustry}</Hint>;
  return (
    <Stack as="section" gap="XS" isAtStart className={look.bar} aria-label={branch.name}>
      <Heading as="h3" isSmall>
        {branch.name}
      </Heading>
      <Hint>{[ofFind.levels[branch.level], ...branch.path, branch.id].join(" · ")}</Hint>
      {branch.description !== null && <Caption1>{branch.description}</Caption1>}
      <Button size="small" appearance="primary" onClick={() => void insert(toConstituents(branch, country))}>
        {ofFind.insertConstituents(country)}
      </Button>
    </Stack>
  );
}

interface IndustryTreeProps {
  branches: readonly Branch[];
  /** Whether all branches begin unfolded, as in a search result. */
  isUnfolded: boolean;
  chosen: Branch | null;
  onChoose: (branch: Branch) => void;
}

/** The taxonomy as a tree: arrow keys move and unfold, Enter and Space choose. */
function IndustryTree({ branches, isUnfolded, chosen, onChoose }: IndustryTreeProps) {
  const { ofFind } = usePane().texts;
  const tree = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<string | null>(chosen?.key ?? null);
  const { isOpen, toggle } = useFolds(isUnfolded);
  const lines = listLines(branches, isOpen);
  const toAt = (key: string | null) => lines.findIndex(({ branch }) => branch.key === key);
  const at = Math.max(0, toAt(reached));
  const take = (step: Step) => {
    if (step.kind === "choose") return onChoose(step.branch);
    if (step.kind === "toggle") return toggle(step.key);
    (tree.current?.children[toAt(step.key)] as HTMLElement | undefined)?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const step = readStep(event.key, lines, at, isOpen);
    if (step === null) return;
    event.preventDefault(); // arrows and Space would scroll
    take(step);
  };
  return (
    <div ref={tree} role="tree" aria-label={ofFind.tree} onKeyDown={press}>
      {lines.map((line, place) => (
        <TreeLine
          key={line.branch.key}
          {...{ line, toggle, onChoose }}
          isOpen={isOpen(line.branch.key)}
          isChosen={line.branch.key === chosen?.key}
          isReached={place === at}
          onReach={() => setReached(line.branch.key)}
        />
      ))}
    </div>
  );
}

/** The open branches: all or none at first, except the toggled ones. */
function useFolds(isUnfolded: boolean) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    const others = [...toggled].filter((each) => each !== key);
    setToggled(new Set(toggled.has(key) ? others : [...others, key]));
  };
  return { isOpen: (key: string) => toggled.has(key) !== isUnfolded, toggle };
}

interface TreeLineProps {
  line: Line;
  isOpen: boolean;
  isChosen: boolean;
  /** Whether the Tab key leads here. */
  isReached: boolean;
  onReach: () => void;
  toggle: (key: string) => void;
  onChoose: (branch: Branch) => void;
}

function TreeLine({ line, isOpen, isChosen, isReached, onReach, toggle, onChoose }: TreeLineProps) {
  const styles = useStyles();
  const { branch, depth, place, siblings } = line;
  const hasBranches = branch.branches.length > 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
    <div
      role="treeitem"
      tabIndex={isReached ? 0 : -1}
      aria-level={depth}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={hasBranches ? isOpen : undefined}
      aria-selected={isChosen}
      className={mergeClasses(styles.line, isChosen && styles.chosenLine)}
      style={{ paddingLeft: `${(depth - 1) * 1.2}em` }}
      onFocus={onReach}
      onClick={() => onChoose(branch)}
    >
      <span
        aria-hidden
        className={styles.fold}
        onClick={(event) => {
          event.stopPropagation();
          toggle(branch.key);
        }}
      >
        {hasBranches && (isOpen ? "▾" : "▸")}
      </span>
      {branch.name}
    </div>
  );
}

/** A node of the taxonomy with its branches. */
interface Branch extends TreeNode {
  /** Ids from the sector down, since a node may stand below several. */
  readonly key: string;
  readonly description: string | null;
  /** Names of the nodes above it, from the sector down. */
  readonly path: readonly string[];
  readonly branches: readonly Branch[];
}

const DOWNWARDS = [...LEVELS].reverse();

/** Reads the provider's tree. @throws DecodeError (FEED_RESPONSE_MALFORMED) */
export const readBranches = (tree: readonly TreeRow[]): readonly Branch[] =>
  toBranches(toTreeRows(tree, "industry"), DOWNWARDS, { key: "", path: [] });

function toBranches(
  rows: readonly TreeRow[],
  [level, ...finer]: readonly Level[],
  above: Pick<Branch, "key" | "path">,
): readonly Branch[] {
  if (level === undefined) return [];
  const ids = new Set(rows.flatMap((row) => readId(row[`${level}Id`]) ?? []));
  return [...ids].map((id) => {
    const within = rows.filter((row) => readId(row[`${level}Id`]) === id);
    const key = `${above.key}/${id}`;
    const name = readText(within[0]?.[`${level}Name`]) ?? id;
    const branches = toBranches(within, finer, { key, path: [...above.path, name] });
    const description = readText(within[0]?.[`${level}Description`]);
    return { key, level, id, name, description, path: above.path, branches };
  });
}

/** The branches whose name or id contains a text, with their ancestors and descendants. */
export function pickBranches(branches: readonly Branch[], text: string): readonly Branch[] {
  const wanted = foldCode(text);
  if (wanted === "") return branches;
  return branches.flatMap((branch) => {
    if ([branch.name, branch.id].some((each) => foldCode(each).includes(wanted))) return [branch];
    const below = pickBranches(branch.branches, text);
    return below.length === 0 ? [] : [{ ...branch, branches: below }];
  });
}

/** A visible line of the tree. */
interface Line {
  branch: Branch;
  /** 1 for a sector. */
  depth: number;
  /** From 1, among its siblings. */
  place: number;
  siblings: number;
  /** Key of the line above it in the tree. */
  parent: string | null;
}

/** Lists the visible lines of a tree. */
function listLines(
  branches: readonly Branch[],
  isOpen: (key: string) => boolean,
  depth = 1,
  parent: string | null = null,
): readonly Line[] {
  return branches.flatMap((branch, index) => [
    { branch, depth, place: index + 1, siblings: branches.length, parent },
    ...(isOpen(branch.key) ? listLines(branch.branches, isOpen, depth + 1, branch.key) : []),
  ]);
}

/** The effect of a key on a line of a tree. */
type Step = { kind: "go"; key: string } | { kind: "toggle"; key: string } | { kind: "choose"; branch: Branch };

/** Reads a key as trees take it: arrows up and down, right into a branch, left out of it, Home and End. */
function readStep(pressed: string, lines: readonly Line[], at: number, isOpen: (key: string) => boolean): Step | null {
  const line = lines[at];
  if (line === undefined) return null;
  const { branch, parent } = line;
  const isFolded = !isOpen(branch.key);
  const hasBranches = branch.branches.length > 0;
  if (pressed === "Enter" || pressed === " ") return { kind: "choose", branch };
  if (hasBranches && pressed === (isFolded ? "ArrowRight" : "ArrowLeft")) return { kind: "toggle", key: branch.key };
  const next: Record<string, string | null | undefined> = {
    ArrowDown: lines[at + 1]?.branch.key,
    ArrowUp: lines[at - 1]?.branch.key,
    ArrowRight: hasBranches ? lines[at + 1]?.branch.key : null,
    ArrowLeft: parent,
    Home: lines[0]?.branch.key,
    End: lines.at(-1)?.branch.key,
  };
  const key = next[pressed] ?? null;
  return key === null ? null : { kind: "go", key };
}
