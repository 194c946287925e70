module.exports = () => globalThis.browserServer?.close();
