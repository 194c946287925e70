import { assumed, DOCUMENTS, EVERYWHERE, type HostProfile, known } from "./profile";

export const MICROSOFT_365_MAC: HostProfile = {
  ...EVERYWHERE,
  name: "Microsoft 365 on Mac",
  id: "mac",
  platform: "Mac",
  // From Version 16.100 (25081015) on.
  requirementSets: known(
    { excelapi: "1.20", customfunctionsruntime: "1.5", sharedruntime: "1.2", keyboardshortcuts: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(true, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: assumed(0, "issue 4702 compares the web with a Windows desktop"),
  givesAddress: assumed(false, "issue 6499 names no Mac; nothing here needs an address"),
  errorInArray: assumed("each in its cell", "issue 2174 names Windows"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: assumed(false, "issue 3159 reports a store for each application, none for each site"),
  paneWidth: known(270, DOCUMENTS.pane, "2026-11-23"),
};
