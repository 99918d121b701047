import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import { erasedFromTables } from '../../../faults/erasing-database.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';

describe.skipIf(!hasPostgres)('what was deleted from a database', () => {
  const own = ownDatabase();

  test('is in no table once it was closed, whatever was killed in between', async () =>
    fc.assert(await erasedFromTables(own.server), { numRuns: 4 }));
});
