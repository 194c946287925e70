const en = {};

const ja: typeof en = {};

export const connectTexts = { en, ja };
