import type { Text } from "./texts";

/** What somebody wants to know, and the formulas that give it. */
interface Choice {
  want: Text;
  formulas: readonly string[];
}

/** Which formula to use, by what is wanted. */
export const CHOICES: readonly Choice[] = [
  {
    want: { en: "one figure, or a grid that you lay out yourself", ja: "数値 1 つ、または自分で並べた行と列の数値" },
    formulas: ["FINANCIAL"],
  },
  {
    want: { en: "all figures of companies, as a ready table", ja: "企業の財務データをまとめた表" },
    formulas: ["FINANCIALS"],
  },
  {
    want: { en: "a company's address, employees or other facts", ja: "所在地、従業員数などの企業情報" },
    formulas: ["COMPANY"],
  },
  { want: { en: "a company's id from its name", ja: "企業名から企業 ID" }, formulas: ["COMPANY.ID"] },
  {
    want: { en: "companies whose names fit a text", ja: "名称に文字列を含む企業" },
    formulas: ["COMPANY.FIND"],
  },
  {
    want: {
      en: "the companies of a list of names, as a CRM or deck has them",
      ja: "顧客リストなどの名称の一覧に対応する企業",
    },
    formulas: ["COMPANY.MATCH"],
  },
  {
    want: {
      en: "private companies of a country, with their register data",
      ja: "ある国の非上場企業（登記情報つき）",
    },
    formulas: ["COMPANIES"],
  },
  {
    want: {
      en: "listed and private companies of a country, with their industries",
      ja: "ある国の上場・非上場企業（業種つき）",
    },
    formulas: ["UNIVERSE"],
  },
  {
    want: {
      en: "companies of an industry, sub-sector or sector that you name",
      ja: "指定した業種、サブセクター、セクターの企業",
    },
    formulas: ["CONSTITUENTS"],
  },
  {
    want: { en: "companies like one that you name", ja: "指定した企業の同業他社" },
    formulas: ["PEERS"],
  },
  { want: { en: "a company's industries", ja: "企業の業種" }, formulas: ["CLASSIFICATION"] },
  {
    want: { en: "the list of sectors and industries, and their ids", ja: "セクターと業種の一覧とその ID" },
    formulas: ["TAXONOMY"],
  },
  {
    want: { en: "the most viewed listed companies of Japan", ja: "閲覧数の多い日本の上場企業" },
    formulas: ["RANKING"],
  },
  {
    want: { en: "the same by type of page, such as news", ja: "ニュースなど、ページ種別ごとの閲覧数" },
    formulas: ["RANKING.PAGES"],
  },
  { want: { en: "the most viewed industries", ja: "閲覧数の多い業種" }, formulas: ["RANKING.INDUSTRIES"] },
  {
    want: {
      en: "how ranks or page views went over weeks or months",
      ja: "順位や閲覧数の週ごと・月ごとの推移",
    },
    formulas: ["RANKING.TREND"],
  },
  {
    want: { en: "what moved in a ranking since the period before", ja: "前の期間から順位が動いた企業や業種" },
    formulas: ["RANKING.MOVERS"],
  },
  {
    want: { en: "whether FEED is connected, or how old values are", ja: "接続状態や、値の取得時刻" },
    formulas: ["STATUS"],
  },
];

/** Formulas that people mix up, and what tells them apart. */
export const CONFUSIONS: readonly { title: Text; text: Text }[] = [
  {
    title: { en: "FINANCIAL or FINANCIALS?", ja: "FINANCIAL と FINANCIALS の違い" },
    text: {
      en: "FINANCIAL fills cells that you lay out yourself. FINANCIALS brings its own table with headers.",
      ja: "FINANCIAL は、自分で用意した行と列に数値を入れます。FINANCIALS は、見出しの付いた表をそのまま作成します。",
    },
  },
  {
    title: {
      en: "COMPANIES, UNIVERSE, CONSTITUENTS or PEERS?",
      ja: "COMPANIES、UNIVERSE、CONSTITUENTS、PEERS の違い",
    },
    text: {
      en: "COMPANIES lists private companies of a country with their register data. UNIVERSE lists listed and private companies of a country with their industries. CONSTITUENTS narrows that to an industry, PEERS to the industry of a company.",
      ja: "COMPANIES は、ある国の非上場企業を登記情報とともに一覧にします。UNIVERSE は、ある国の上場・非上場企業を業種とともに一覧にします。CONSTITUENTS は指定した業種の企業に、PEERS は指定した企業と同じ業種の企業に絞り込みます。",
    },
  },
];
