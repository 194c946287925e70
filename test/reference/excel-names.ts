import { readFileSync } from "node:fs";

const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;
const LAST_COLUMN_LETTERS = "XFD";

/** Built-in functions by Excel's typings, which stop before dynamic arrays: `beta_Dist` is BETA.DIST. */
const TYPED = readTypedFunctions();

/** Worksheet functions that the typings lack, from "Excel functions (alphabetical)" (Microsoft Support). */
const UNTYPED =
  `ADDRESS AGGREGATE ANCHORARRAY ARRAYTOTEXT BYCOL BYROW CALL CEILING CELL CHOOSECOLS CHOOSEROWS COPILOT CORREL COVAR CUBEMEMBER
  CUBESET CUBEVALUE DATEDIF DETECTLANGUAGE DROP ENCODEURL EUROCONVERT EXPAND FIELDVALUE FILTER FILTERXML FLOOR FORECAST FORMULATEXT
  FREQUENCY GETPIVOTDATA GROUPBY GROWTH HSTACK IFERROR IFNA IFS IMAGE INDEX INDIRECT INFO INTERCEPT ISBLANK ISOMITTED LAMBDA LET
  LINEST LOGEST MAKEARRAY MAP MAXIFS MDETERM MINIFS MINVERSE MMULT MODE MUNIT OFFSET PEARSON PERCENTILE PERCENTOF PIVOTBY PROB
  QUARTILE RANDARRAY RANK REDUCE REGEXEXTRACT REGEXREPLACE REGEXTEST REGISTER.ID RSQ RTD SCAN SEARCH SEARCHB SEQUENCE SINGLE SLOPE
  SORT SORTBY STDEV STDEVP STEYX STOCKHISTORY SUMPRODUCT SWITCH TAKE TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TOCOL TOROW TRANSLATE
  TRANSPOSE TREND TRIMRANGE UNIQUE VALUETOTEXT VAR VARP VSTACK WEBSERVICE WRAPCOLS WRAPROWS XLOOKUP XMATCH`.split(
    /\s+/,
  );

/** Excel 4.0 macro functions of one word, from "Excel Macro Functions Reference" (Microsoft Download Center). */
const MACROS = `ABSREF ACTIVATE ALERT ARGUMENT ASSIGN AXES BEEP BORDER BREAK CALCULATE CALL CALLER CANCEL CLEAR CLOSE
  COMBINATION CONSOLIDATE COPY CUT DELETE DEMOTE DEREF DIRECTORY DOCUMENTS ECHO ELSE ERROR EVALUATE EXEC EXECUTE FCLOSE FILES
  FONT FOPEN FOR FORMULA FPOS FREAD FREADLN FSIZE FWRITE FWRITELN GOTO HALT HELP HIDE HLINE HPAGE HSCROLL INITIATE INPUT INSERT
  JUSTIFY LEGEND LINKS MERGE MESSAGE MOVE NAMES NEW NEXT NOTE OPEN OUTLINE OVERLAY PARSE PASTE PATTERNS PAUSE POKE PRECISION
  PREFERRED PRINT PROMOTE PROTECT QUIT REFTEXT REGISTER RELREF REPLACE REQUEST RESTART RESULT RESUME RETURN RUN SAVE SCALE SELECT
  SELECTION SERIES SHORTCUT SIZE SOUND SPLIT STEP STYLE TABLE TERMINATE TEXTREF UNDO UNGROUP UNHIDE UNLOCKED UNREGISTER VLINE
  VOLATILE VPAGE VSCROLL WAIT WHILE WINDOW WINDOWS WORKGROUP WORKSPACE ZOOM`.split(/\s+/);

const TAKEN = new Set([...TYPED, ...UNTYPED, ...MACROS]);

/** Whether Excel has a worksheet or macro function of this name. */
export const isBuiltIn = (name: string): boolean => TAKEN.has(name.toUpperCase());

/** Whether a name reads as a cell's address, from A1 to XFD1048576 or from R1C1 to R1048576C16384. */
export function isCellAddress(name: string): boolean {
  const [, letters = "", row = ""] = /^([A-Z]{1,3})([1-9]\d*)$/i.exec(name) ?? [];
  const [, numberedRow = "", column = ""] = /^R([1-9]\d*)C([1-9]\d*)$/i.exec(name) ?? [];
  if (column !== "") return Number(numberedRow) <= LAST_ROW && Number(column) <= LAST_COLUMN;
  const isColumn = letters.length < LAST_COLUMN_LETTERS.length || letters.toUpperCase() <= LAST_COLUMN_LETTERS;
  return letters !== "" && isColumn && Number(row) <= LAST_ROW;
}

/** Reads the methods of Excel.Functions, the object model's worksheet functions. */
function readTypedFunctions(): string[] {
  const typings = readFileSync(require.resolve("@types/office-js/index.d.ts"), "utf8");
  const [, type = ""] = typings.split("class Functions extends OfficeExtension.ClientObject {");
  const [members = ""] = type.split("\n    }\n");
  const methods = [...members.matchAll(/^ {8}(\w+)\(/gm)].map(([, method = ""]) => method);
  return methods.map((method) => method.toUpperCase().replaceAll("_", "."));
}
