import { assumed, DOCUMENTS, EVERYWHERE, type HostProfile, known } from "./profile";

export const LTSC_2021: HostProfile = {
  ...EVERYWHERE,
  name: "Excel LTSC 2021",
  id: "ltsc2021",
  platform: "PC",
  requirementSets: known(
    { excelapi: "1.14", customfunctionsruntime: "1.3", sharedruntime: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(false, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: assumed(0, "as Microsoft 365 on Windows"),
  givesAddress: assumed(false, "older than the tag for addresses of streams (Office-Addin-Scripts pull request 911)"),
  errorInArray: assumed("#VALUE! alone", "Version 2108; issue 2174 reports it of Version 2109, 2021-10-13"),
  crashesWithBothFlags: known(true, "issue 4385 (Microsoft reproduced it)", "2024-05-07"),
  partitionsStorage: known(false, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(320, DOCUMENTS.pane, "2026-11-23"),
};
