import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "@jest/globals";

const ORIGIN = "https://localhost:3000";
/** The data that the tool's command `info` prints; the command itself would report its use to Microsoft. */
const READ = `
  const { OfficeAddinManifest } = require("office-addin-manifest");
  OfficeAddinManifest.readManifestFile("manifest.xml").then((info) => console.log(JSON.stringify(info)));
`;

it("the manifest is read correctly by Microsoft's own tool", () => {
  const cwd = join(__dirname, "../..");
  const info = JSON.parse(execFileSync(process.execPath, ["--no-warnings", "-e", READ], { cwd, encoding: "utf8" }));
  expect(info).toMatchObject({
    id: "e5e98938-6bbc-4356-824e-1329b3cfb00d",
    displayName: "FEED for Excel",
    officeAppType: "TaskPaneApp",
    hosts: ["Workbook"],
    permissions: "ReadWriteDocument",
    appDomains: [ORIGIN],
    iconUrl: `${ORIGIN}/assets/icon-32.png`,
    highResolutionIconUrl: `${ORIGIN}/assets/icon-64.png`,
    defaultSettings: { sourceLocation: `${ORIGIN}/taskpane.html` },
  });
});
