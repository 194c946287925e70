/** Five companies of the sample provider; its ids are stable. */
export const COMPANIES = [
  { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "株式会社さくら食品" },
  { id: "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f", name: "Yuzuriha Energy Corporation" },
  { id: "bca112fc-4390-457f-887d-2e836eaf9ed3", name: "Komorebi Education Inc." },
  { id: "559712a9-dd12-4174-a42b-ada188ab2737", name: "Tamayura Chemicals Co., Ltd." },
  { id: "5f7409c9-c87b-426b-985e-bb153cbcb8bd", name: "株式会社高月自動車" },
];
export const YEARS = [2020, 2021, 2022, 2023, 2024];
export const YEAR_COLUMNS = ["C", "D", "E", "F", "G"];
export const RATIO_OF: Record<string, string> = {
  "Gross Profit": "Gross margin",
  EBIT: "EBIT margin",
  "Net Income": "Net margin",
};

export const HEADER_ROW = 4;
/** A heading, the companies, a total and a ratio. */
export const BLOCK_ROWS = COMPANIES.length + 3;
export const REVENUE_ROW = HEADER_ROW + 1;

/** Above the figures, where it stays in sight: what the pane inserts first finds room in it. */
export const SCRATCH_CELL = "J2";
