import type { Resolve, Text } from "./texts";
import { findElement, type XmlElement } from "./xml";

export const toIcons = (element: XmlElement, resolve: Resolve) =>
  findElement(element, "Icon").children.map((image) => ({
    size: Number(image.attributes.size),
    url: resolve(image).en,
  }));

export const listControls = ({ children }: XmlElement): XmlElement[] =>
  children.filter(({ name }) => name === "Control" || name === "Item");

export function toControl(control: XmlElement, resolve: Resolve): object {
  const isMenu = control.attributes["xsi:type"] === "Menu";
  const type = control.name === "Item" ? "menuItem" : isMenu ? "menu" : "button";
  return {
    id: control.attributes.id,
    type,
    label: resolve(findElement(control, "Label")),
    icons: toIcons(control, resolve),
    supertip: {
      title: resolve(findElement(control, "Supertip", "Title")),
      description: resolve(findElement(control, "Supertip", "Description")),
    },
    ...(isMenu
      ? { items: listControls(findElement(control, "Items")).map((item) => toControl(item, resolve)) }
      : { actionId: readActionId(control) }),
  };
}

const isOpening = (control: XmlElement): boolean =>
  findElement(control, "Action").attributes["xsi:type"] === "ShowTaskpane";

const readActionId = (control: XmlElement): string =>
  findElement(control, "Action", isOpening(control) ? "TaskpaneId" : "FunctionName").text;

/** Lists each action once: those of the controls by their labels, then those that only a shortcut has. */
export function listActions(
  places: readonly XmlElement[],
  resolve: Resolve,
  shortcuts: ReadonlyMap<string, Text>,
): object[] {
  const controls = places
    .flatMap(listControls)
    .flatMap((control) =>
      control.attributes["xsi:type"] === "Menu" ? listControls(findElement(control, "Items")) : [control],
    );
  const actions = controls.map((control): [string, object] => {
    const id = readActionId(control);
    const displayName = resolve(findElement(control, "Label"));
    return [
      id,
      isOpening(control)
        ? { id, type: "openPage", displayName, pinnable: false, view: id }
        : toFunction(id, displayName),
    ];
  });
  const others = [...shortcuts].map(([id, name]): [string, object] => [id, toFunction(id, name)]);
  return [...new Map([...others, ...actions]).values()];
}

const toFunction = (id: string, displayName: Text) => ({ id, type: "executeFunction", displayName });
