import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, useRef, useState } from "react";
import { usePane } from "../pane";
import { type Branch, type Line, listLines, readStep, type Step } from "./industry-tree";

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
  chosen: { backgroundColor: tokens.colorNeutralBackground1Selected, fontWeight: tokens.fontWeightSemibold },
  fold: { width: "1.2em", flexShrink: 0, textAlign: "center", color: tokens.colorNeutralForeground3 },
});

interface IndustryTreeProps {
  branches: readonly Branch[];
  /** Whether all is shown, as where it is only what was looked for. */
  isUnfolded: boolean;
  chosen: Branch | null;
  onChoose: (branch: Branch) => void;
}

/** The taxonomy as a tree: arrow keys move and unfold, Enter and Space choose. */
export function IndustryTree({ branches, isUnfolded, chosen, onChoose }: IndustryTreeProps) {
  const { ofFind } = usePane().texts;
  const tree = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<string | null>(chosen?.key ?? null);
  const { isOpen, turn } = useFolds(isUnfolded);
  const lines = listLines(branches, isOpen);
  const toAt = (key: string | null) => lines.findIndex(({ branch }) => branch.key === key);
  const at = Math.max(0, toAt(reached));
  const take = (step: Step) => {
    if (step.kind === "choose") return onChoose(step.branch);
    if (step.kind === "turn") return turn(step.key);
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
          {...{ line, turn, onChoose }}
          isOpen={isOpen(line.branch.key)}
          isChosen={line.branch.key === chosen?.key}
          isReached={place === at}
          onReach={() => setReached(line.branch.key)}
        />
      ))}
    </div>
  );
}

/** Which branches are open: all or none to begin with, but for those that were turned. */
function useFolds(isUnfolded: boolean) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const turn = (key: string) => {
    const others = [...turned].filter((each) => each !== key);
    setTurned(new Set(turned.has(key) ? others : [...others, key]));
  };
  return { isOpen: (key: string) => turned.has(key) !== isUnfolded, turn };
}

interface TreeLineProps {
  line: Line;
  isOpen: boolean;
  isChosen: boolean;
  /** Whether the Tab key leads here. */
  isReached: boolean;
  onReach: () => void;
  turn: (key: string) => void;
  onChoose: (branch: Branch) => void;
}

function TreeLine({ line, isOpen, isChosen, isReached, onReach, turn, onChoose }: TreeLineProps) {
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
      className={mergeClasses(styles.line, isChosen && styles.chosen)}
      style={{ paddingLeft: `${(depth - 1) * 1.2}em` }}
      onFocus={onReach}
      onClick={() => onChoose(branch)}
    >
      <span
        aria-hidden
        className={styles.fold}
        onClick={(event) => {
          event.stopPropagation();
          turn(branch.key);
        }}
      >
        {hasBranches && (isOpen ? "▾" : "▸")}
      </span>
      {branch.name}
    </div>
  );
}
