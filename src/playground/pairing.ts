import { pair } from "./companion";
import type { Texts } from "./texts";

/** Shows the form for a pairing code, which loads the page anew once it is paired. All texts are set as text, never as markup. */
export function showPairing(root: Document, texts: Texts): void {
  const part = <T extends HTMLElement>(id: string) => root.getElementById(id) as T;
  const form = part<HTMLFormElement>("pairing");
  const code = part<HTMLInputElement>("pairing-code");
  part("pairing-label").textContent = texts.pairingCode;
  part("pairing-hint").textContent = texts.pairingHint;
  part("pairing-button").textContent = texts.pair;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const ended = await pair(code.value);
    if (ended === "paired") return location.reload();
    part("pairing-refusal").textContent = texts.notPaired[ended];
    code.focus();
  });
  form.hidden = false;
  code.focus();
}
