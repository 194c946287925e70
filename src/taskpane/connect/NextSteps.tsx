import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { toFormulaText } from "../formula-text";
import { useInsert } from "../insert";
import { type Part, usePane } from "../pane";
import { Heading } from "../typography";

const useStyles = makeStyles({
  list: { display: "grid", rowGap: tokens.spacingVerticalXS },
  step: {
    display: "grid",
    gridTemplateColumns: "1fr auto",
    alignItems: "center",
    width: "100%",
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    fontFamily: "inherit",
    textAlign: "left",
    cursor: "pointer",
    ":hover": { backgroundColor: tokens.colorNeutralBackground1Hover },
    ":active": { backgroundColor: tokens.colorNeutralBackground1Pressed },
    ":focus-visible": { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: "1px" },
  },
  name: { fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
  hint: { gridColumn: 1, fontSize: tokens.fontSizeBase200, color: tokens.colorNeutralForeground3 },
  sign: { gridRow: "1 / 3", gridColumn: 2, color: tokens.colorNeutralForeground3 },
  typed: { margin: `${tokens.spacingVerticalS} 0 0`, fontSize: tokens.fontSizeBase200 },
  example: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: tokens.spacingHorizontalS,
    marginTop: tokens.spacingVerticalXS,
    padding: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  formula: { flexGrow: 1, fontFamily: tokens.fontFamilyMonospace, overflowWrap: "anywhere" },
});

/** The most viewed companies of the last seven days, ten of them. */
const EXAMPLE = toFormulaText({
  name: "RANKING",
  given: [{ kind: "text", value: "-7d" }, null, { kind: "number", value: 10 }],
});

/** The next steps after connecting. */
export function NextSteps() {
  const { open, texts } = usePane();
  const insert = useInsert();
  const styles = useStyles();
  const words = texts.ofConnect.next;
  const steps: [Part, string, string][] = [
    ["find", words.find, words.findHint],
    ["build", words.build, words.buildHint],
    ["sheets", words.sheets, words.sheetsHint],
  ];
  return (
    <section>
      <Heading gap="S">{words.title}</Heading>
      <div className={styles.list}>
        {steps.map(([part, name, hint]) => (
          <button key={part} type="button" className={styles.step} onClick={() => open(part)}>
            <span className={styles.name}>{name}</span>
            <span className={styles.hint}>{hint}</span>
            <span aria-hidden className={styles.sign}>
              ›
            </span>
          </button>
        ))}
      </div>
      <div className={styles.typed}>
        {texts.formulas}
        <div className={styles.example}>
          <code className={styles.formula}>{EXAMPLE}</code>
          <Button size="small" onClick={() => void insert({ cells: [[{ formula: EXAMPLE }]] })}>
            {words.insert}
          </Button>
        </div>
      </div>
    </section>
  );
}
