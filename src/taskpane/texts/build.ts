const en = {};

const ja: typeof en = {};

export const buildTexts = { en, ja };
