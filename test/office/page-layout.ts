import { type Block, showBlock } from "./addresses";
import { HostError } from "./errors";
import { createRecorder } from "./recorder";
import { type HostObject, set } from "./requests";
import type { Sheet } from "./sheet";

export function createPageLayout({ pageLayout }: Sheet): HostObject {
  return {
    ...createRecorder(pageLayout, ""),
    call: {
      SetPrintArea: set(pageLayout, "PrintArea"),
      SetPrintTitleRows: set(pageLayout, "PrintTitleRows"),
    },
  };
}

/** The conditional formats of a range; each is known by its place in its sheet's list. */
export function createConditionalFormats(sheet: Sheet, block: Block): HostObject {
  const open = (id: string) => createConditionalFormat(sheet, Number(id));
  return {
    open: {
      "": open,
      GetItem: open,
      Add: (type: string) => {
        if (type !== "Custom") throw new HostError("InvalidArgument"); // the emulation has formulas alone
        sheet.conditionalFormats.push({ range: showBlock(block), set: {} });
        return open(String(sheet.conditionalFormats.length - 1));
      },
    },
  };
}

function createConditionalFormat(sheet: Sheet, place: number): HostObject {
  const format = sheet.conditionalFormats[place];
  if (format === undefined) throw new HostError("ItemNotFound");
  const rule: HostObject = { write: { Formula: set(format, "formula") } };
  const borders: HostObject = { open: { "": (side: string) => createRecorder(format.set, side) } };
  const looks: HostObject = {
    open: {
      Font: () => createRecorder(format.set, "Font"),
      Fill: () => createRecorder(format.set, "Fill"),
      Borders: () => borders,
    },
  };
  return {
    id: String(place),
    read: { Id: () => String(place) },
    call: { Delete: () => void Reflect.deleteProperty(sheet.conditionalFormats, place) }, // the others keep their places
    open: { Custom: () => ({ open: { Rule: () => rule, Format: () => looks } }) },
  };
}
