/** The styles of the playground's own sheets and of the pane's. */
export const LOOKS = {
  title: { bold: true, fontSize: 16 },
  note: { textColor: "#7A828E", fontSize: 9 },
  label: { bold: true },
  input: { fillColor: "#FFF7DB", textColor: "#1F3FBF", align: "left" },
  heading: { bold: true, fillColor: "#1F4E79", textColor: "#FFFFFF" },
  numberHeading: { bold: true, fillColor: "#1F4E79", textColor: "#FFFFFF", align: "right" },
  section: { bold: true, fillColor: "#DCE9F5", textColor: "#12324D" },
} as const;
