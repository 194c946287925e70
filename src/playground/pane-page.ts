import { SURROUNDINGS, type Surroundings } from "./office";

// The first script of the pane's page in the playground: it sets the globals that Office.js has in Excel.
const { [SURROUNDINGS]: surroundings } = window.parent as { [SURROUNDINGS]?: Surroundings };
if (surroundings) Object.assign(window, surroundings);
else window.location.replace("/playground.html"); // opened by itself, without a workbook
