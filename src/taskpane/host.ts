/** What the pane needs to know of the program it is open in. */
export interface Host {
  /** BCP 47 tag of the display language. */
  language: string;
  isDark: boolean;
  /** First year of the workbook's date serials. */
  dateSystem: 1900 | 1904;
}

/** Asks Excel, or the browser where there is no Excel. */
export async function readHost(): Promise<Host> {
  const isDarkBrowser = matchMedia("(prefers-color-scheme: dark)").matches;
  const browser: Host = { language: navigator.language, isDark: isDarkBrowser, dateSystem: 1900 };
  if (typeof Office === "undefined") return browser;
  const { host } = await Office.onReady();
  if (host !== Office.HostType.Excel) return browser;
  const { displayLanguage, officeTheme } = Office.context;
  return {
    language: displayLanguage || browser.language,
    isDark: officeTheme?.isDarkTheme ?? isDarkBrowser,
    dateSystem: await readDateSystem(),
  };
}

/** No property tells, but the workbook's own DATE function counts days as its cells do. */
async function readDateSystem(): Promise<1900 | 1904> {
  return Excel.run(async (context) => {
    const newYear = context.workbook.functions.date(2000, 1, 1);
    newYear.load("value");
    await context.sync();
    return newYear.value === SERIAL_OF_2000_IN_1904 ? 1904 : 1900;
  });
}

/** 2000-01-01 in a workbook that counts from 1904. */
const SERIAL_OF_2000_IN_1904 = 35_064;
