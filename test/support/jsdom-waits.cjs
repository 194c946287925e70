// An exchange with a companion may exceed the default second on a busy machine.
if (globalThis.document) require("@testing-library/dom").configure({ asyncUtilTimeout: 20_000 });
