import { expect, test } from 'vitest';
import { databaseError, isLost } from '#core/store/postgres/connection/database-errors.ts';

/** As `pg` gives what a server says. */
const said = (code: string, file: string) =>
  Object.assign(new Error('as the server says it'), { severity: 'ERROR', code, file });

test.each([
  ['a server that stops', '57P01', 'postgres.c'],
  ['a node of Citus that no connection reaches', '08006', 'remote_commands.c'],
  ['a node of Citus that goes while it is asked', 'XX000', 'remote_commands.c'],
  ['a node of Citus that goes before a COMMIT', 'XX000', 'remote_transaction.c'],
  ['a node of Citus that goes at a COMMIT', 'XX000', 'placement_connection.c'],
  ['a node of Citus that goes while rows are sent to it', '58030', 'multi_copy.c'],
])('%s is lost: nobody knows what became of the question', (_, code, file) => {
  const error = said(code, file);
  expect(isLost(error)).toBe(true);
  expect(databaseError(error, 'lab at b')).toMatchObject({ name: 'StoreError', code: 'unreachable' });
});

test('a bug of the server, and a disk that fails, are neither', () => {
  const bug = said('XX000', 'execMain.c');
  expect(isLost(bug)).toBe(false);
  expect(databaseError(bug, 'lab at b')).toBe(bug);
  expect(databaseError(said('58030', 'md.c'), 'lab at b')).toMatchObject({ code: 'io' });
});
