const en = {};

const ja: typeof en = {};

export const activityTexts = { en, ja };
