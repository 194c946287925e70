import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { OfficeAddinManifest } from "office-addin-manifest";

const ORIGIN = "https://localhost:3000";

it("is read by Microsoft's own tool as it is meant", async () => {
  const info = await OfficeAddinManifest.readManifestFile(join(__dirname, "../../manifest.xml"));
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
