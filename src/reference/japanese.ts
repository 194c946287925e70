/** A formula's texts in Japanese. */
interface JapaneseFormula {
  description: string;
  /** By argument. */
  parameters: Readonly<Record<string, string>>;
}

const START =
  '最初の日。日付または "2024-01-01"、あるいは "-7d"、"-4w"、"MTD"、"YTD"、"2024-03"、"2024-W12" などの期間';
const END = "最後の日（その日全体を含む）。start が期間なら省略可";
const TOP_100 = '行数、または "all"（すべて）。省略時は 100';
const TOP_ALL = '行数、または "all"（すべて）。省略時はすべて';
const TOP_COMPANIES = '企業数、または "all"（すべて）。省略時はすべて';
const HEADERS = "FALSE にすると見出し行を省きます";
const BY = 'データ提供元の順序に代えて並べ替えに使う測定値。例："totalUniquePageViews"';
const RANKING_KIND =
  '"companies"（上場企業）、"industries"（業種）、または "NEWS" などのページ種別（その閲覧数で企業を順位付け）。省略時は companies';
const COUNTRY = '国コード（例："JPN"）、または "ALL"';
const TYPE = "PUBLIC（上場）、PRIVATE（非上場）、ALL（両方）のいずれか。省略時は ALL";
const UNIT =
  '"k"（千）、"m"（百万）、"bn"（十億）、または割る数。"JPY m" のように通貨を添えると、その通貨の数値だけを表示';
const BASIS = '連結・単体や期間の区分。例："CONSOLIDATED"、半期なら "HY2"。省略時は年次決算の数値';
const COMPANY = "企業の名称、証券コード、登録番号、または企業 ID";

/** The formulas' texts in Japanese, by id; the English ones stand above the formulas themselves. */
export const JAPANESE: Readonly<Record<string, JapaneseFormula>> = {
  FINANCIAL: {
    description: "企業の財務数値を 1 つ、または表で返します。企業の列と年度の行を渡すと、表全体に展開されます。",
    parameters: {
      company: `${COMPANY}。範囲も可。例：A2:A20`,
      year: '会計年度。例：2023、最新年度の "FY0"、"FY-1"、"2019:2023"、日付、または範囲',
      metric: '指標。例："Revenue"、"CASH_FLOW.Operating Cash Flow"。currency、periodEnd なども可。範囲も可',
      basis: BASIS,
      unit: UNIT,
    },
  },
  FINANCIALS: {
    description:
      "1 社または複数社の財務データを表で返します。年度ごとに指標を横に並べる形、財務諸表の形、数値ごとに 1 行の形があります。",
    parameters: {
      companies: `${COMPANY}。範囲（例：A2:A20）、またはカンマ区切りの文字列`,
      years: '会計年度。例：2023、"2019:2023"、"FY-4:FY0"、またはその範囲。省略時はすべて',
      metrics: '指標。例："Revenue,EBIT"、またはその範囲。省略時はすべて',
      layout: '"wide" は企業と年度ごとに 1 行、"statement" は 1 社の財務諸表、"long" は数値ごとに 1 行',
      basis: BASIS,
      unit: UNIT,
      headers: HEADERS,
    },
  },
  COMPANY: {
    description:
      "非上場企業の項目を 1 つ返します。項目を省略すると企業のカードを返します。企業の列と項目の行を渡すと、表全体に展開されます。",
    parameters: {
      company: `${COMPANY}。範囲も可。例：A2:A20。先頭が 0 の番号は文字列で指定してください`,
      field: '項目。例："companyName"、"registeredAddress.city"、"representatives"、または範囲。省略時はカード',
    },
  },
  COMPANIES: {
    description: "ある国の非上場企業を表で返します。",
    parameters: {
      country: COUNTRY,
      identifier: '絞り込みに使う登録番号またはその他の ID。例："1234567890123"',
      top: TOP_ALL,
      fields: '表示する項目。例："companyName,registeredAddress.city"、または "all"。省略時はよく使う項目',
      sort: "並べ替えに使う項目。書いたとおりにデータ提供元へ渡します",
      headers: HEADERS,
    },
  },
  "COMPANY.FIND": {
    description: "名称、証券コード、登録番号が文字列に一致する企業を、よく一致する順に表で返します。",
    parameters: {
      text: '名称の一部（表記は問いません）、証券コード、または登録番号。例："高島"、"sakura foods"、4899',
      country: `${COUNTRY}。省略時は設定の国`,
      top: TOP_ALL,
      fields: '表示する項目。例："companyId,companyEnglishName"、または "all"。省略時はよく使う項目',
      headers: HEADERS,
    },
  },
  "COMPANY.ID": {
    description: "名称の全体、証券コード、登録番号が文字列に一致する 1 社の企業 ID を返します。",
    parameters: {
      text: '名称の全体（表記は問いません）、証券コード、または登録番号。例："株式会社髙島化学"、"Komorebi Education Inc."、4899',
      country: `${COUNTRY}。省略時は設定の国`,
    },
  },
  "COMPANY.MATCH": {
    description:
      "名称の一覧がどの企業を指すかを、1 件 1 行の表で返します。企業 ID と確かさが分かり、入力ミスや表記の違いがあっても照合します。",
    parameters: {
      names: "名称の列（表記は問いません）。例：A2:A500。証券コード、登録番号、企業 ID も可",
      country: `${COUNTRY}。省略時は設定の国`,
      hints: "一覧にあるほかの情報（同じ行数）：証券コード、登録番号、ウェブサイト、市区町村、業種",
      fields: '表示する項目。例："companyId,state,closestName"、または "all"。省略時はよく使う項目',
      headers: HEADERS,
    },
  },
  TAXONOMY: {
    description: "セクター、サブセクター、業種の分類を表で返します。",
    parameters: {
      level: '階層。"sector"、"subSector"、"industry" のいずれか。省略時は 3 階層すべてを示す industry',
      parent: 'その下だけを返すセクターまたはサブセクターの ID。例："SEC04"。省略時は分類全体',
      headers: HEADERS,
    },
  },
  CLASSIFICATION: {
    description: "企業のセクター、サブセクター、業種を表で返します。または分類データの項目を 1 つ返します。",
    parameters: {
      company: `${COMPANY}。項目を指定するときは範囲も可。例：A2:A20`,
      field:
        '項目 1 つ。例："tickerSymbol"、"isPublic"、"primary.industryName"。"industryName" ならすべての分類について返します',
      headers: HEADERS,
    },
  },
  CONSTITUENTS: {
    description: "業種、サブセクター、セクターのいずれかに属する企業を表で返します。",
    parameters: {
      node: '業種、サブセクター、セクターのいずれかの ID。例："IND040101"。複数の階層に同じ ID があるときは "sector:12" のように指定',
      country: COUNTRY,
      type: TYPE,
      top: TOP_COMPANIES,
      fields: '表示する項目。例："companyEnglishName,tickerSymbol,primary.industryName"、または "all"',
      allindustries: "TRUE にすると、1 社 1 行ではなく、企業の分類ごとに 1 行を返します",
      headers: HEADERS,
    },
  },
  UNIVERSE: {
    description: "ある国の、上場・非上場の分類済み企業を表で返します。",
    parameters: {
      country: COUNTRY,
      type: TYPE,
      top: TOP_COMPANIES,
      fields: '表示する項目。例："companyId,companyEnglishName,primary.sectorName"、または "all"',
      headers: HEADERS,
    },
  },
  PEERS: {
    description: "ある企業と主な業種、サブセクター、セクターが同じ企業を、その企業を除いて表で返します。",
    parameters: {
      company: COMPANY,
      level: '共通する階層。"industry"、"subSector"、"sector" のいずれか。省略時は industry',
      country: `${COUNTRY}。省略時は設定の国`,
      type: TYPE,
      top: 'その企業を除いた企業数、または "all"（すべて）。省略時はすべて',
      fields: '表示する項目。例："companyEnglishName,tickerSymbol"、または "all"',
      headers: HEADERS,
      allmatches: "TRUE にすると、主な分類以外で一致する企業も加え、どちらで一致したかを表示します",
    },
  },
  RANKING: {
    description: "期間中の閲覧数順の日本の上場企業のランキングを表で返します。",
    parameters: {
      start: START,
      end: END,
      top: TOP_100,
      fields: '表示する項目。例："rank,companyName,totalPageViews"。省略時はすべて',
      by: BY,
      headers: HEADERS,
    },
  },
  "RANKING.PAGES": {
    description: "日本の上場企業について、ニュースや株主などページ種別ごとの閲覧数を表で返します。",
    parameters: {
      start: START,
      end: END,
      pagetype: 'ページ種別 1 つ。例："NEWS"、"stock prices"。その統計をすべて返します。省略時は 18 種類の閲覧数',
      top: TOP_100,
      fields:
        '表示する項目。例："companyName,totalUniquePageViews"（種別を指定すればその種別の値）。全ページは "allPages.totalPageViews"、任意の種別は "pages.NEWS.totalPageViews"',
      headers: HEADERS,
    },
  },
  "RANKING.INDUSTRIES": {
    description: "期間中の閲覧数順の日本の業種のランキングを表で返します。",
    parameters: {
      start: START,
      end: END,
      top: TOP_ALL,
      fields: '表示する項目。例："rank,industryName,totalPageViews"。省略時はすべて',
      by: BY,
      headers: HEADERS,
    },
  },
  "RANKING.TREND": {
    description: "複数の期間について、日本の上場企業または業種の閲覧数の順位を、期間を列にした表で返します。",
    parameters: {
      names:
        '企業は証券コードまたは名称、業種は ID または名称。例：A2:A20。または最も新しい期間の "top 20"（上位 20 件）、"all"（すべて）',
      periods:
        '列にする期間。"-12w" は直近の 12 週（月曜から日曜）、"2024-01:2024-12" は月ごと。日付や期間のセルの範囲も可',
      measure: 'セルに表示する値。例："totalPageViews"。省略時は順位',
      ranking: RANKING_KIND,
      headers: HEADERS,
    },
  },
  "RANKING.MOVERS": {
    description: "ある期間から別の期間にかけて、順位または閲覧数が大きく動いた日本の上場企業または業種を表で返します。",
    parameters: {
      period: '期間。例："-7d"、"2024-03"、"2024-W12"、"2024-01:2024-03"、または日付',
      previous: "比べる期間。省略時は直前の同じ長さの期間",
      top: TOP_100,
      ranking: RANKING_KIND,
      by: '増減の大きい順（上下とも）に並べる測定値。例："totalPageViews"。省略時は順位',
      fields: '表示する項目。例："rank,previous.rank,companyName,growth.totalPageViews"。省略時はよく使う項目',
      headers: HEADERS,
    },
  },
  STATUS: {
    description: "アドインの接続状態、または問い合わせの数や表示内容の新しさを返します。",
    parameters: {
      what: '"asof"（このシートの最も古い回答の取得日時）、"pending"、"stale"、"requests"、"currencies"、"version"。省略時は接続状態',
      sheet: '"asof" のとき、このシートの名前。ほかのシートの同じ数式と区別するために指定します',
    },
  },
};
