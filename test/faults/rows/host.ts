import { type Fault, inFile } from "../fault";

const formulas = inFile("test/hosts/formulas.test.ts");
const given = inFile("test/hosts/arguments.test.ts");

const CELLS = "src/functions/cells.ts";

/** What kinds of Excel do, by `test/hosts/README.md`. */
export const ROWS: readonly Fault[] = [
  {
    fault: "an Excel that crashes on two flags of functions.json (LTSC 2021)",
    injected: "the built functions.json in both languages, under each kind of Excel",
    seen: "values: one of the flags stays out, and errors in ranges arrive all the same",
    tests: [
      {
        file: "test/reference/metadata.test.ts",
        title: "allows errors inside ranges, and has every argument as in the sources",
      },
      { file: "test/hosts/profiles.test.ts", title: "%s crashes nothing, and lets errors in ranges arrive" },
    ],
    guard: {
      file: "src/reference/metadata.ts",
      from: "stringValue: value, tooltip: text[language] })),\n    })),",
      to: "stringValue: value, tooltip: text[language] })),\n    })),\n    allowErrorForDataTypeAny: true,",
    },
  },
  {
    fault: "an Excel that reports data types and shows #VALUE! for those of functions (perpetual ones)",
    injected: "requirement sets of each kind of Excel on the genuine runtime, the workbook's switch for properties on",
    seen: "plain numbers, dates as serials; the pane says that this Excel cannot show properties",
    tests: [
      {
        file: "test/functions/abilities.test.ts",
        title: "reads the data types of a host with ExcelApi %s and CustomFunctionsRuntime %s, and queries Office once",
      },
      formulas("FEED.%s with dates sends data types only if functions have them"),
      {
        file: "test/hosts/pane.test.ts",
        title: "lets figures carry properties only if functions have data types, with the workbook's switch on",
      },
    ],
    guard: {
      file: CELLS,
      from: 'const hasDataTypes = requirements.isSetSupported("CustomFunctionsRuntime", "1.4");',
      to: "const hasDataTypes = true;",
    },
  },
  {
    fault: "an argument refers to a blank cell",
    injected: "0 and null, as hosts hand it over, for every optional argument of every formula",
    seen: "what the formula shows without that argument; headers stay",
    tests: [
      { file: "test/functions/arguments.test.ts", title: "reads %p as %p" },
      { file: "test/functions/blank-arguments.test.ts", title: "of FEED.%s as %s counts as omitted" },
      given("FEED.%s takes references to blank cells for arguments that were left out"),
    ],
    guard: {
      file: "src/functions/views/table-arguments.ts",
      from: "  if (isBlank(value)) return byDefault;\n  const word",
      to: "  if (value === 0) return false;\n  if (isBlank(value)) return byDefault;\n  const word",
    },
  },
  {
    fault: "an Excel that shows an array with an error inside as #VALUE!",
    injected: "a formula of one cell whose figure is missing, under each kind of Excel",
    seen: "the error with its text; in a grid such an Excel shows #VALUE!, and the pane tells each cell's error",
    tests: [
      {
        file: "test/functions/cells.test.ts",
        title: "of one cell is a bare error if it is one, since some Excels show an error inside an array as #VALUE!",
      },
      given("a single missing figure shows its error with the text"),
    ],
    guard: {
      file: CELLS,
      from: "return cell instanceof CustomFunctions.Error ? cell : [[cell]];",
      to: "return [[cell]];",
    },
  },
];
