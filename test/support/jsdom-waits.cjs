if (globalThis.document) {
  const { configure, getConfig } = require("@testing-library/dom");
  const { getElementError } = getConfig();
  configure({
    // An exchange with a companion may exceed the default second on a busy machine.
    asyncUtilTimeout: 20_000,
    // The page is written out once a wait has ended in vain, not at each of its looks.
    getElementError: (message, container) =>
      getConfig()._disableExpensiveErrorDiagnostics ? new Error(message) : getElementError(message, container),
  });
}
