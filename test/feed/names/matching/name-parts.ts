/** The parts of a company's name. */
export interface Parts {
  first: string;
  second: string;
  city: string;
  /** Behind the city, "2" and so on where there are many. */
  rest: string;
  form: string;
}

/** Legal forms behind a name, the longer ones first. */
export const FORMS = ["Co., Ltd.", "Pte. Ltd.", "Corporation", "Corp.", "Inc.", "K.K.", "LLP", "JSC"];

/** How lists write each legal form. */
export const OTHER_FORMS: Readonly<Record<string, readonly string[]>> = {
  "Co., Ltd.": ["Co Ltd", "Co.,Ltd", "CO., LTD", "Company Limited", "Co. Limited", "co.ltd."],
  "Pte. Ltd.": ["Pte Ltd", "Private Limited", "PTE. LTD.", "Pte.Ltd."],
  Corporation: ["Corp.", "Corp", "CORPORATION"],
  "Corp.": ["Corporation", "Corp"],
  "Inc.": ["Inc", "Incorporated", "INC."],
  "K.K.": ["KK", "Kabushiki Kaisha", "K.K"],
  LLP: ["L.L.P.", "llp"],
  JSC: ["J.S.C.", "Joint Stock Company"],
  PT: ["P.T.", "Pt."],
};

/** First words in the sandbox's English, with a Japanese word's kana and how it is written in Latin letters. */
export const FIRST_WORDS: ReadonlyMap<string, { native: readonly string[]; kana: string; latin: readonly string[] }> =
  new Map(
    Object.entries({
      Sakura: { native: ["さくら"], kana: "さくら", latin: ["Sakura"] },
      Takatsuki: { native: ["髙月", "高月"], kana: "たかつき", latin: ["Takatuki", "Takatsuki"] },
      Aozora: { native: ["青空"], kana: "あおぞら", latin: ["Aozora", "Aosora"] },
      Hoshimi: { native: ["星見"], kana: "ほしみ", latin: ["Hosimi", "Hoshimi"] },
      Kazemachi: { native: ["風待"], kana: "かぜまち", latin: ["Kazemati", "Kazemachi"] },
      Minamo: { native: ["みなも"], kana: "みなも", latin: ["Minamo"] },
      Yuzuriha: { native: ["ゆずりは"], kana: "ゆずりは", latin: ["Yuduriha", "Yuzuriha"] },
      Asagiri: { native: ["朝霧"], kana: "あさぎり", latin: ["Asagiri"] },
      Tsukikage: { native: ["月影"], kana: "つきかげ", latin: ["Tukikage", "Tsukikage"] },
      Shirokane: { native: ["白銀"], kana: "しろかね", latin: ["Sirokane", "Shirokane"] },
      Hamasaki: { native: ["濵﨑", "浜崎"], kana: "はまさき", latin: ["Hamasaki"] },
      Kumomori: { native: ["雲森"], kana: "くももり", latin: ["Kumomori"] },
      Komorebi: { native: ["コモレビ"], kana: "こもれび", latin: ["Komorebi"] },
      Natsuiro: { native: ["夏色"], kana: "なついろ", latin: ["Natuiro", "Natsuiro"] },
      Saitoh: { native: ["齋藤", "斎藤"], kana: "さいとう", latin: ["Saito", "Saitou", "Saitō"] },
      Morinoko: { native: ["森の子"], kana: "もりのこ", latin: ["Morinoko"] },
      Umineko: { native: ["ウミネコ"], kana: "うみねこ", latin: ["Umineko"] },
      Hidamari: { native: ["ひだまり"], kana: "ひだまり", latin: ["Hidamari"] },
      Tamayura: { native: ["玉響"], kana: "たまゆら", latin: ["Tamayura"] },
      Inaho: { native: ["稲穂"], kana: "いなほ", latin: ["Inaho"] },
      Yukishiro: { native: ["雪代"], kana: "ゆきしろ", latin: ["Yukisiro", "Yukishiro"] },
      Nagisa: { native: ["渚"], kana: "なぎさ", latin: ["Nagisa"] },
      Takashima: { native: ["髙島"], kana: "たかしま", latin: ["Takasima", "Takashima"] },
    }),
  );

/** Second words, with the Japanese one, others that lists use for it, its reading in Latin letters and abbreviations. */
export const SECOND_WORDS: ReadonlyMap<
  string,
  { native: string; others: readonly string[]; latin: readonly string[]; short: readonly string[] }
> = new Map(
  Object.entries({
    Foods: { native: "食品", others: ["フーズ"], latin: ["Shokuhin", "Syokuhin"], short: ["Food", "Fds"] },
    Logistics: {
      native: "物流",
      others: ["ロジスティクス"],
      latin: ["Butsuryu", "Buturyu", "Butsuryū"],
      short: ["Logis.", "Logistic"],
    },
    Precision: { native: "精密", others: [], latin: ["Seimitsu", "Seimitu"], short: ["Prec."] },
    Chemicals: { native: "化学", others: ["ケミカル"], latin: ["Kagaku"], short: ["Chem.", "Chemical"] },
    Pharma: { native: "製薬", others: ["ファーマ"], latin: ["Seiyaku"], short: ["Pharm.", "Pharmaceuticals"] },
    Construction: { native: "建設", others: [], latin: ["Kensetsu", "Kensetu"], short: ["Constr.", "Const."] },
    Electronics: { native: "電子", others: ["エレクトロニクス"], latin: ["Denshi", "Densi"], short: ["Electronic"] },
    Trading: {
      native: "商事",
      others: ["トレーディング"],
      latin: ["Shoji", "Shouji", "Syoji"],
      short: ["Trdg", "Trade"],
    },
    Systems: { native: "システム", others: ["システムズ"], latin: ["Shisutemu"], short: ["Sys.", "System"] },
    Textiles: { native: "繊維", others: ["テキスタイル"], latin: ["Seni", "Sen'i"], short: ["Textile", "Text."] },
    Marine: { native: "海運", others: ["マリン"], latin: ["Kaiun"], short: ["Mar."] },
    Energy: { native: "エネルギー", others: ["エナジー"], latin: ["Enerugi"], short: ["Engy"] },
    Brewing: { native: "酒造", others: [], latin: ["Shuzo", "Shuzou", "Syuzo"], short: ["Brew.", "Brewery"] },
    Steel: { native: "製鋼", others: ["スチール"], latin: ["Seiko", "Seikou"], short: ["Stl"] },
    Paper: { native: "製紙", others: ["ペーパー"], latin: ["Seishi", "Seisi"], short: ["Ppr"] },
    Motors: {
      native: "自動車",
      others: ["モータース"],
      latin: ["Jidosha", "Jidousha", "Zidosya"],
      short: ["Motor", "Mtrs"],
    },
    Robotics: { native: "ロボット", others: ["ロボティクス"], latin: ["Robotto"], short: ["Robot.", "Robotic"] },
    Estate: { native: "不動産", others: [], latin: ["Fudosan", "Fudousan"], short: ["Est."] },
    Medical: { native: "医療", others: ["メディカル"], latin: ["Iryo", "Iryou"], short: ["Med.", "Med"] },
    Farm: { native: "農園", others: ["ファーム"], latin: ["Noen", "Nouen"], short: ["Farms"] },
    Glass: { native: "硝子", others: ["ガラス"], latin: ["Garasu"], short: ["Gls"] },
    Travel: { native: "観光", others: ["トラベル"], latin: ["Kanko", "Kankou"], short: ["Trvl"] },
    Education: { native: "教育", others: [], latin: ["Kyoiku", "Kyouiku"], short: ["Edu.", "Educ."] },
    Bakery: { native: "ベーカリー", others: [], latin: ["Bekari"], short: ["Bkry"] },
    Printing: { native: "印刷", others: ["プリンティング"], latin: ["Insatsu", "Insatu"], short: ["Print", "Prtg"] },
    Capital: { native: "キャピタル", others: [], latin: ["Kyapitaru"], short: ["Cap."] },
    Aqua: { native: "アクア", others: [], latin: ["Akua"], short: [] },
    Optics: { native: "光学", others: [], latin: ["Kogaku", "Kougaku"], short: ["Optical", "Opt."] },
    Furniture: { native: "家具", others: [], latin: ["Kagu"], short: ["Furn."] },
    Holdings: {
      native: "ホールディングス",
      others: ["HD", "ＨＤ"],
      latin: ["Horudingusu"],
      short: ["Hldgs", "Holding", "HD"],
    },
  }),
);

/** Cities with their Japanese names, where they have one. */
export const CITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Tokyo: "東京",
    Osaka: "大阪",
    Nagoya: "名古屋",
    Fukuoka: "福岡",
    Sapporo: "札幌",
    Kyoto: "京都",
    Sendai: "仙台",
    Hiroshima: "広島",
    Kobe: "神戸",
    Kanazawa: "金沢",
    Singapore: "",
    Jakarta: "",
    Surabaya: "",
    Bandung: "",
    Medan: "",
    Bangkok: "",
    "Ha Noi": "",
    "Da Nang": "",
    Manila: "",
  }),
);

/** First words that no company of the sandbox has. */
export const STRANGERS = {
  japanese: ["Kirameki", "Fujibayashi", "Oboro", "Wakatake", "Suzukaze", "Momiji", "Harukaze", "Izumigaoka"],
  others: ["Copper Kettle", "Silverfin", "Mangrove Point", "Bamboo Ridge", "Teluk Biru", "Northwind", "Quartz Hill"],
};
