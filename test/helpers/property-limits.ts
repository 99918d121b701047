import { configureGlobal } from 'fast-check';

/*
 * A property that does not end, or whose smallest case is looked for too long, says its seed and what was found so far:
 * where its test ends it by time, nobody learns either.
 */

/** ms; less than `testTimeout` of vitest.config.ts. */
const LIMIT_MS = 170_000;

configureGlobal({ interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true });
