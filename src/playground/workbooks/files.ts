const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** What Windows does not allow in a file's name. */
const NOT_IN_NAMES = /[\\/:*?"<>|]/g;

/** Long enough for the browser to begin the download. */
const ADDRESS_LIFETIME_MS = 60_000;

/** Asks for an Excel file; undefined where the person chooses none. */
export function chooseFile(root: Document): Promise<File | undefined> {
  const input = Object.assign(root.createElement("input"), { type: "file", accept: ".xlsx,.xlsm" });
  return new Promise((resolve) => {
    input.addEventListener("change", () => resolve(input.files?.[0]));
    input.addEventListener("cancel", () => resolve(undefined));
    input.click();
  });
}

/** Offers a workbook's bytes as a download. */
export function downloadFile(root: Document, name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: XLSX }));
  const link = Object.assign(root.createElement("a"), {
    href: address,
    download: `${name.replace(NOT_IN_NAMES, "_")}.xlsx`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), ADDRESS_LIFETIME_MS);
}
