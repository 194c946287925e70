/** The origin that serves Office.js. */
export const OFFICE_SCRIPTS = "https://appsforoffice.microsoft.com";
