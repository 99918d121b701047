/** What is built for test suites (client/), and of use in no program. */
const CLIENT_FILE = /[\\/]client(-operations)?\.(js|d\.ts)$/;

/** @param {string} file */
export const isOfClient = (file) => CLIENT_FILE.test(file);
