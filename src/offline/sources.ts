/** The origin of Office.js, whose files the worker stores beside the pages' own. */
export const OFFICE_SCRIPTS = "https://appsforoffice.microsoft.com";
