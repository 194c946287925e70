import { Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { usePane } from "../pane";
import type { Fact, Listing as ListingFacts, Profile } from "./facts";

const useStyles = makeStyles({
  facts: {
    margin: 0,
    display: "grid",
    gridTemplateColumns: "minmax(6em, 36%) 1fr",
    gap: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalM}`,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  name: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0 },
  heading: {
    margin: `${tokens.spacingVerticalM} 0 ${tokens.spacingVerticalXXS}`,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightSemibold,
  },
  quiet: { color: tokens.colorNeutralForeground3 },
  list: {
    margin: 0,
    paddingLeft: tokens.spacingHorizontalL,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
});

/** A private company's record: itself, its people and how many work there. */
export function PrivateProfile({ company, people, employees }: Profile) {
  const { ofFind } = usePane().texts;
  return (
    <>
      <Facts facts={company} />
      <More title={ofFind.people} facts={people} />
      <More title={ofFind.employees} facts={employees} />
    </>
  );
}

/** A classified company's record: itself with its listing, and where in the taxonomy it stands. */
export function Listing({ company, classifications }: ListingFacts) {
  const { ofFind } = usePane().texts;
  const styles = useStyles();
  return (
    <>
      <Facts facts={company} />
      {classifications.length > 0 && (
        <>
          <h4 className={styles.heading}>{ofFind.kinds.industries}</h4>
          <ul className={styles.list}>
            {classifications.map(({ key, text, isPrimary }) => (
              <li key={key}>
                {text} {isPrimary && <span className={styles.quiet}>({ofFind.primary})</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  const { ofFind } = usePane().texts;
  const styles = useStyles();
  if (facts.length === 0) return <Caption1 className={styles.quiet}>{ofFind.nothingKnown}</Caption1>;
  return <Terms facts={facts} />;
}

function More({ title, facts }: { title: string; facts: readonly Fact[] }) {
  const styles = useStyles();
  if (facts.length === 0) return null;
  return (
    <>
      <h4 className={styles.heading}>{title}</h4>
      <Terms facts={facts} />
    </>
  );
}

function Terms({ facts }: { facts: readonly Fact[] }) {
  const styles = useStyles();
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one name and role
        <Term key={place} name={name} value={value} />
      ))}
    </dl>
  );
}

function Term({ name, value }: Fact) {
  const styles = useStyles();
  return (
    <>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>{value}</dd>
    </>
  );
}
