/** Of ExcelApi the spreadsheet shows numbers with formats (1.16), but no cards of properties (1.19). */
const EXCEL_API = { major: 1, minor: 16 };

/** What the functions ask of the global `Office`: whether the host has a requirement set. */
export function createOffice() {
  const isSetSupported = (name: string, version = "1.1"): boolean => {
    const [major = 0, minor = 0] = version.split(".").map(Number);
    return name === "ExcelApi" && major === EXCEL_API.major && minor <= EXCEL_API.minor;
  };
  return { context: { requirements: { isSetSupported } } };
}
