import { Badge, Caption1, makeStyles, Tab, TabList, Title3, tokens } from "@fluentui/react-components";
import { type ReactNode, useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { Activity } from "./Activity";
import { Build } from "./Build";
import { Connect } from "./Connect";
import { Find } from "./Find";
import { Notices } from "./Notices";
import { Context, type Notice, PARTS, type PaneContext, type Part, type Wishes } from "./pane";
import { Sheets } from "./Sheets";

const useStyles = makeStyles({
  page: { display: "flex", flexDirection: "column", minHeight: "100vh", boxSizing: "border-box" },
  top: {
    position: "sticky",
    top: 0,
    zIndex: 1,
    backgroundColor: tokens.colorNeutralBackground1,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  head: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    columnGap: "8px",
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL} 0`,
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  tabs: { paddingLeft: tokens.spacingHorizontalXS, flexWrap: "wrap" },
  tab: { paddingLeft: tokens.spacingHorizontalS, paddingRight: tokens.spacingHorizontalS },
  part: { padding: tokens.spacingHorizontalL, flexGrow: 1, "&[hidden]": { display: "none" } },
});

/** What each part begins with; the number tells one wish from the next. */
type Wished = { [P in keyof Wishes]?: { wish: Wishes[P]; count: number } };

const PANELS: Record<Part, (wished: Wished) => ReactNode> = {
  connect: () => <Connect />,
  find: ({ find }) => <Find key={find?.count} wish={find?.wish} />,
  build: ({ build }) => <Build key={build?.count} wish={build?.wish} />,
  sheets: ({ sheets }) => <Sheets key={sheets?.count} wish={sheets?.wish} />,
  activity: () => <Activity />,
};

/** The pane: its parts as tabs, each of which keeps what was written in it while another one is shown. */
export function Pane(surroundings: Omit<PaneContext, "tell" | "open">) {
  const styles = useStyles();
  const [part, setPart] = useState<Part>("connect");
  const [visited, setVisited] = useState<ReadonlySet<Part>>(new Set(["connect"]));
  const [wished, setWished] = useState<Wished>({});
  const [notice, setNotice] = useState<Notice | null>(null);
  const { session, workbook, host, texts, keep } = surroundings;
  const open = useCallback((shown: Part, wish?: unknown) => {
    setPart(shown);
    setVisited((before) => new Set([...before, shown]));
    if (wish === undefined) return;
    setWished((before) => ({ ...before, [shown]: { wish, count: toCount(before, shown) + 1 } }) as Wished);
  }, []) as PaneContext["open"];
  const pane = useMemo(
    () => ({ session, workbook, host, texts, keep, tell: setNotice, open }),
    [session, workbook, host, texts, keep, open],
  );
  return (
    <Context value={pane}>
      <main className={styles.page}>
        <div className={styles.top}>
          <Head {...pane} />
          <TabList
            className={styles.tabs}
            size="small"
            selectedValue={part}
            onTabSelect={(_, { value }) => open(value as Part)}
          >
            {PARTS.map((name) => (
              <Tab key={name} id={`tab-${name}`} value={name} className={styles.tab} aria-controls={`part-${name}`}>
                {texts.parts[name]}
              </Tab>
            ))}
          </TabList>
        </div>
        <Notices notice={notice} end={() => setNotice(null)} texts={texts} />
        {PARTS.map((name) => (
          <div
            key={name}
            id={`part-${name}`}
            role="tabpanel"
            aria-labelledby={`tab-${name}`}
            hidden={name !== part}
            className={styles.part}
          >
            {visited.has(name) && PANELS[name](wished)}
          </div>
        ))}
      </main>
    </Context>
  );
}

const toCount = (wished: Wished, part: Part) => wished[part as keyof Wishes]?.count ?? 0;

function Head({ session, texts }: Pick<PaneContext, "session" | "texts">) {
  const styles = useStyles();
  const { configuration } = useSyncExternalStore(session.subscribe, session.state);
  const isSample = configuration?.sample === true;
  return (
    <div className={styles.head}>
      <Title3 as="h1" className={styles.title}>
        {texts.product}
      </Title3>
      {isSample && (
        <Badge color="warning" appearance="tint">
          {texts.sample}
        </Badge>
      )}
      {isSample && <Caption1>{texts.sampleHint}</Caption1>}
    </div>
  );
}
