/**
 * For `vi.waitFor` and `vi.waitUntil`, whose own patience of a second is too short on a machine that others use, too: what
 * comes at last ends the wait at once. `expect.poll` has the same from vitest.config.ts.
 */
export const PATIENTLY = { timeout: 20_000 };
