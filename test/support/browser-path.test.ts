import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { findBrowser } from "./browser-path.mjs";
import { itOnPosix } from "./posix";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "browser-path-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function addFile(name: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  chmodSync(path, mode);
  return path;
}

describe("the browser", () => {
  itOnPosix("is the first known command on the PATH", () => {
    addFile("firefox", 0o755);
    addFile("chromium", 0o644);
    const chrome = addFile("google-chrome", 0o755);
    addFile("microsoft-edge", 0o755);
    expect(findBrowser({ PATH: folder }, "linux")).toBe(chrome);
  });

  it("is the one CHROME_PATH names, whatever else exists", () => {
    addFile("chromium", 0o755);
    const own = addFile("my-browser", 0o755);
    expect(findBrowser({ PATH: folder, CHROME_PATH: own }, "linux")).toBe(own);
    expect(findBrowser({ PATH: folder, CHROME_PATH: join(folder, "gone") }, "linux")).toBeUndefined();
  });

  itOnPosix("is searched in a Mac's personal applications", () => {
    mkdirSync(join(folder, "Applications/Chromium.app/Contents/MacOS"), { recursive: true });
    const chromium = addFile("Applications/Chromium.app/Contents/MacOS/Chromium", 0o755);
    expect(findBrowser({ PATH: "", HOME: folder }, "darwin")).toBe(chromium);
  });

  it("is searched in Windows' program folders", () => {
    mkdirSync(join(folder, "Google/Chrome/Application"), { recursive: true });
    const chrome = addFile("Google/Chrome/Application/chrome.exe", 0o755);
    expect(findBrowser({ PATH: "", PROGRAMFILES: folder }, "win32")).toBe(chrome);
  });
});
