import { createFrame, html, type Markup } from "./frame";
import type { Language, Text } from "./texts";

/** A page about the add-in itself, which a firm may replace by its own. */
interface LegalPage {
  title: Text;
  lead: Text;
  points: readonly { heading: Text; text: Text }[];
}

const PRIVACY: LegalPage = {
  title: { en: "Privacy", ja: "プライバシー" },
  lead: {
    en: "FEED for Excel sends nothing to its makers: no usage data, no error reports.",
    ja: "FEED for Excel が開発者に送信する情報はありません。利用状況やエラーの報告も送信しません。",
  },
  points: [
    {
      heading: { en: "What the provider receives", ja: "データ提供元に送信する情報" },
      text: {
        en: "The provider receives which companies, years and rankings your formulas request, and the client id that it issued. Nothing else of a workbook is sent.",
        ja: "数式が取得する企業、年度、ランキングの指定と、データ提供元が発行したクライアント ID を送信します。ブックのほかの内容は送信しません。",
      },
    },
    {
      heading: { en: "What Microsoft receives", ja: "Microsoft に送信する情報" },
      text: {
        en: "The pane loads Office.js from Microsoft. Where your firm uses Microsoft Entra ID, you sign in there.",
        ja: "作業ウィンドウは Office.js を Microsoft から読み込みます。Microsoft Entra ID を利用する組織では、サインインもそこで行います。",
      },
    },
    {
      heading: { en: "What stays on your computer", ja: "お使いのコンピューターに残る情報" },
      text: {
        en: "The browser or Excel keeps answers for a time, without contact data of persons; Forget, in the pane's settings, deletes them. The workbook keeps its formulas, their last values and its settings. The playground keeps its workbook in the browser.",
        ja: "取得したデータは、個人の連絡先を除き、ブラウザーまたは Excel に一定期間保存されます。作業ウィンドウの設定にある「削除」で消去できます。ブックには数式、直近の値、設定が保存されます。プレイグラウンドのブックはブラウザーに保存されます。",
      },
    },
    {
      heading: { en: "What your firm's companion keeps", ja: "組織のコンパニオンに残る情報" },
      text: {
        en: "Where you sign in, the companion keeps who you are for as long as the sign-in lasts. Its audit log may hold who read how much and when, and no value, company or query. Your administrator says how long.",
        ja: "サインインして利用する場合、コンパニオンはサインインの有効期間中、利用者の情報を保持します。監査ログには誰がいつどれだけ読み取ったかを記録できますが、値、企業、検索内容は記録しません。保存期間は管理者にお問い合わせください。",
      },
    },
  ],
};

const SUPPORT: LegalPage = {
  title: { en: "Support", ja: "サポート" },
  lead: {
    en: "Ask your administrator first: the one who installed FEED for Excel for you.",
    ja: "まず、FEED for Excel を導入した管理者にお問い合わせください。",
  },
  points: [
    {
      heading: { en: "A cell shows an error", ja: "セルにエラーが表示される場合" },
      text: {
        en: "Select the cell and open the FEED pane: This cell says what happened and what to do.",
        ja: "セルを選択して FEED の作業ウィンドウを開いてください。「このセル」に原因と対処方法が表示されます。",
      },
    },
    {
      heading: { en: "What to send", ja: "お問い合わせの際に送る情報" },
      text: {
        en: "Copy for support, in the pane's settings, gives a text with settings, counts and the last errors. It holds no key, token or code.",
        ja: "作業ウィンドウの設定にある「サポート用にコピー」で、設定、件数、直近のエラーをまとめたテキストをコピーできます。鍵、トークン、コードは含まれません。",
      },
    },
    {
      heading: { en: "Questions about the data", ja: "データの内容について" },
      text: {
        en: "The provider answers for the data. Name the company, the year and the trace id that This cell shows.",
        ja: "データの内容はデータ提供元にお問い合わせください。企業、年度と、「このセル」に表示されるトレース ID をお伝えください。",
      },
    },
  ],
};

const TERMS: LegalPage = {
  title: { en: "Terms of use", ja: "利用条件" },
  lead: {
    en: "FEED for Excel is free software under the MIT licence, without warranty of any kind.",
    ja: "FEED for Excel は MIT ライセンスのソフトウェアです。いかなる保証もありません。",
  },
  points: [
    {
      heading: { en: "The data", ja: "データについて" },
      text: {
        en: "The terms of your contract with the provider apply to the data. Sample data is fictional.",
        ja: "データの利用には、データ提供元との契約条件が適用されます。サンプルデータは架空のものです。",
      },
    },
    {
      heading: { en: "No advice", ja: "免責" },
      text: {
        en: "Nothing here is investment advice. Check figures before you rely on them.",
        ja: "本ソフトウェアは投資助言を行うものではありません。数値は、利用の前にご確認ください。",
      },
    },
  ],
};

const PAGES = { privacy: PRIVACY, support: SUPPORT, terms: TERMS };

/**
 * Creates the pages about privacy, support and terms in one language.
 * @returns Pages by name, such as "privacy".
 */
export function createLegalPages(language: Language): Record<string, string> {
  const pages = Object.entries(PAGES).map(([name, { title, lead, points }]) => {
    const parts = points.map(({ heading, text }) => html`<h2>${heading[language]}</h2><p>${text[language]}</p>`);
    const licences = language === "en" ? "../licences/" : "../../licences/";
    const link =
      name === "terms" ? html`<p><a href="${licences}feed-for-excel.txt">${LICENCE[language]}</a></p>` : html``;
    const main = html`<h1>${title[language]}</h1><p class="lead">${lead[language]}</p>${link}${parts}`;
    return [name, createFrame({ title: title[language], file: `${name}.html`, language, main })];
  });
  return Object.fromEntries(pages);
}

/** Creates the links to these pages, from a page beside them. */
export function createLegalLinks(language: Language): Markup {
  const links = Object.entries(PAGES).map(
    ([name, { title }]) => html`<li><a href="${name}.html">${title[language]}</a></li>`,
  );
  return html`<ul class="legal">${links}</ul>`;
}

const LICENCE: Text = { en: "The MIT licence", ja: "MIT ライセンス（英語）" };
