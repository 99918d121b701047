/** What is built for test suites (client/). */
const CLIENT_FILE = /[\\/]client(-operations)?\.(js|d\.ts)$/;

/** What Node 20 and 22 lack of the language (electron/core/base/older-node.ts): Electron and the Node that ships have it. */
const OLDER_NODE = /[\\/]older-node-[\w-]+\.js$/;

/**
 * Whether a file that is built is of no use in a program that brings its own Node.
 * @param {string} file
 */
export const isNotShipped = (file) => CLIENT_FILE.test(file) || OLDER_NODE.test(file);
