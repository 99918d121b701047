/*
 * What Node 20 and 22 lack of the language that the service is written in (ES2025 and explicit resource management),
 * by core-js, which leaves alone what is there. test/unit/cli/older-node.test.ts says when something is missing here.
 */
import 'core-js/actual/array-buffer/transfer.js';
import 'core-js/actual/array/from-async.js';
import 'core-js/actual/async-disposable-stack/index.js';
import 'core-js/actual/disposable-stack/index.js';
import 'core-js/actual/iterator/index.js';
import 'core-js/actual/map/group-by.js';
import 'core-js/actual/object/group-by.js';
import 'core-js/actual/promise/try.js';
import 'core-js/actual/promise/with-resolvers.js';
import 'core-js/actual/set/index.js';
