const en = {};

const ja: typeof en = {};

export const commandsTexts = { en, ja };
