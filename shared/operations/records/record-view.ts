import { z } from 'zod';

const rule = 'must be "raw": records as they were stored';

/** Which view of its records a read is of; absent, as they were stored (docs/local-api.md, "Excursions"). */
export const recordView = z.enum(['raw'], rule).default('raw');
