import type { Frame, Page } from "playwright-core";

type Place = Frame | Page;

/** The state of a connected pane, in both languages; in "Not connected" the word has another case. */
export const CONNECTED = /^(Connected|接続済み)/;

/** Waits until a state or a notice has a text. */
export const waitForStatus = (place: Place, text: string | RegExp): Promise<void> =>
  place.getByRole("status").filter({ hasText: text }).first().waitFor();

/** Waits until the pane's head says that it is connected. */
export const waitUntilConnected = (place: Place): Promise<void> => waitForStatus(place, CONNECTED);

export const openTab = (place: Place, name: string): Promise<void> =>
  place.getByRole("tab", { name, exact: true }).click();

/** Opens the settings by the pane's menu, in both languages. */
export async function openSettings(place: Place): Promise<void> {
  await place.getByRole("button", { name: /^(Menu|メニュー)$/ }).click();
  await place.getByRole("button", { name: /^(Settings|設定)$/ }).click();
  await place.getByRole("heading", { name: /^(Settings|設定)$/ }).waitFor();
}

/** Enters a pairing code, in both languages. */
export async function enterCode(place: Place, code: string): Promise<void> {
  const field = place.getByRole("textbox", { name: /^(Pairing code|ペアリングコード)/ });
  await field.fill(code);
  await field.press("Enter");
}
