import { afterAll, vi } from 'vitest';

/* Files share a worker (vitest.config.ts): what one has replaced is as it was before the next. */

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
