import { assumed, DOCUMENTS, EVERYWHERE, type HostProfile, known } from "./profile";

export const RETAIL: HostProfile = {
  ...EVERYWHERE,
  name: "Excel 2021 or 2024, retail",
  id: "retail",
  platform: "PC",
  // It reports Excel's sets as Microsoft 365 of the same build does, but not those of functions (issues 3504 and 4750).
  requirementSets: known(
    { excelapi: "1.20", customfunctionsruntime: "1.3", sharedruntime: "1.2", keyboardshortcuts: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(false, "issues 3504, 4750 and 5573", "2025-04-22"),
  blankCell: assumed(0, "as Microsoft 365 on Windows"),
  givesAddress: assumed(false, "retail lags behind in functions; nothing here needs an address"),
  errorInArray: assumed("each in its cell", "as Microsoft 365 on Windows of the same build"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: known(false, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(320, DOCUMENTS.pane, "2026-11-23"),
};
