/** Renders assets/icon*.svg to the icon files, in the sizes of the manifest. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findBrowser } from "./browser-path.mjs";

const ASSETS = fileURLToPath(new URL("../../assets/", import.meta.url));
const PRODUCT_SIZES = [16, 32, 64, 80, 128];
const COMMAND_SIZES = [16, 32, 80];

const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
const page = await browser.newPage();
for (const file of readdirSync(ASSETS).filter((name) => /^icon.*\.svg$/.test(name))) {
  const svg = readFileSync(`${ASSETS}${file}`, "utf8");
  for (const size of file === "icon.svg" ? PRODUCT_SIZES : COMMAND_SIZES) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<body style="margin: 0">${svg.replace("<svg", `<svg width="${size}" style="display: block"`)}`,
    );
    writeFileSync(`${ASSETS}${file.replace(".svg", `-${size}.png`)}`, await page.screenshot({ omitBackground: true }));
  }
}
await browser.close();
