import { assumed, DOCUMENTS, EVERYWHERE, type HostProfile, known } from "./profile";

export const EXCEL_ON_THE_WEB: HostProfile = {
  ...EVERYWHERE, // yet the first n - 1 streams may be called twice: issue 3011, 2022-12-01
  name: "Excel on the web",
  id: "web",
  platform: "OfficeOnline",
  requirementSets: known(
    { excelapi: "1.20", customfunctionsruntime: "1.5", sharedruntime: "1.2", keyboardshortcuts: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(true, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: known(null, "issue 4702", "2024-07-21"),
  givesAddress: assumed(false, "issue 6499 does not say where addresses are missing; nothing here needs one"),
  errorInArray: assumed("each in its cell", "issue 2174 names Windows"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: known(true, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(350, DOCUMENTS.pane, "2026-11-23"),
};
