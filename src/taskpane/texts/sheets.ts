const en = {};

const ja: typeof en = {};

export const sheetsTexts = { en, ja };
