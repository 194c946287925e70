import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { Pairings } from "../../src/companion/api/pairing";

/** The field for a pairing code, in either language. */
export const findCodeField = () =>
  screen.findByRole<HTMLInputElement>("textbox", { name: /^(Pairing code|ペアリングコード)$/ });

/** Enters a pairing code as a person does. */
export async function enterCode(code: string): Promise<void> {
  const field = await findCodeField();
  fireEvent.change(field, { target: { value: code } });
  fireEvent.submit(field);
}

/** Creates the code by the command that the pane shows beside its field. */
export async function issueShownCode(pairings: Pairings, field: HTMLInputElement): Promise<string> {
  const name = await waitFor(() => {
    const hint = document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
    const [, shown] = / pair ([2-9A-Z]{4})$/.exec(hint ?? "") ?? [];
    if (shown === undefined) throw new Error("The pane shows no command yet.");
    return shown;
  });
  return (await pairings.issue(name)).code;
}
