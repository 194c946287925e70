// The script of every page: shows formulas by the separators of the reader's Excel, which the pane gives in the address.
import { separate } from "../feed/formula-separators";

/** A line that is a formula, and no result or command. */
const FORMULA = /^(?:=|[A-Z]+\.[A-Z.]+\().*$/gm;

let separators = new URLSearchParams(location.search).get("separators") ?? "";
try {
  // Links between pages carry none.
  if (separators === "") separators = sessionStorage.getItem("feed.separators") ?? "";
  else sessionStorage.setItem("feed.separators", separators);
} catch {} // the browser blocks its storage
if (separators.length === 3) {
  for (const code of document.querySelectorAll("code"))
    code.textContent = `${code.textContent}`.replace(FORMULA, (formula) => separate(formula, separators));
  document.getElementById("separators")?.remove();
}
