import { assumed, DOCUMENTS, EVERYWHERE, type HostProfile, known } from "./profile";

export const LTSC_2024: HostProfile = {
  ...EVERYWHERE,
  name: "Excel LTSC 2024",
  id: "ltsc2024",
  platform: "PC",
  requirementSets: known(
    { excelapi: "1.17", customfunctionsruntime: "1.3", sharedruntime: "1.2" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(false, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: assumed(0, "as Microsoft 365 on Windows"),
  givesAddress: assumed(false, "older than the tag for addresses of streams (Office-Addin-Scripts pull request 911)"),
  errorInArray: assumed("each in its cell", "newer than the builds of issue 2174"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: known(false, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(320, DOCUMENTS.pane, "2026-11-23"),
};
