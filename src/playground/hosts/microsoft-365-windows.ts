import { assumed, DOCUMENTS, EVERYWHERE, type HostProfile, known } from "./profile";

export const MICROSOFT_365_WINDOWS: HostProfile = {
  ...EVERYWHERE,
  name: "Microsoft 365 on Windows, current channel",
  id: "windows",
  platform: "PC",
  // From Version 2509 (Build 19201.20002) on.
  requirementSets: known(
    { excelapi: "1.20", customfunctionsruntime: "1.5", sharedruntime: "1.2", keyboardshortcuts: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(true, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: known(0, "issue 4702", "2024-07-21"),
  givesAddress: known(true, "issue 6499 (supported, and reported missing in the same thread)", "2026-02-18"),
  errorInArray: known("each in its cell", "issue 2174 (retested in a shared runtime)", "2026-06-16"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: known(false, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(320, DOCUMENTS.pane, "2026-11-23"),
};
