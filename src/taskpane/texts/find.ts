const en = {};

const ja: typeof en = {};

export const findTexts = { en, ja };
