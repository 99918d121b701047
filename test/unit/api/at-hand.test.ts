import { expect, test } from 'vitest';
import type { Context, Handlers } from '#core/api/context.ts';
import { createDispatch } from '#core/api/dispatch.ts';
import { createLogger } from '#core/base/logger.ts';
import { createAuthenticate } from '#core/http/authenticate.ts';
import type { Row, TableName } from '#core/store/metadata/metadata-schema.ts';
import type { Metadata, Tables } from '#core/store/metadata/metadata.ts';
import { hashSecret } from '#core/vault/secrets.ts';
import { clockOf } from '../../helpers/clock.ts';

/*
 * Metadata of a folder are at hand: a request that waits for none of them takes no turn of the event loop before its
 * records are read. Those of a database are waited for, by the same checks.
 */

const PROJECTS = ['mine', 'theirs'].map((id) => ({ id, account_id: 'a' }));
const ROWS: Partial<Record<TableName, readonly object[]>> = {
  projects: PROJECTS,
  devices: [
    { id: 'pump', project_id: 'mine' },
    { id: 'valve', project_id: 'theirs' },
  ],
};
const KEY = { id: 'k', account_id: 'a', permissions: ['read'], project_ids: ['mine'], expires: null };

/** `later`: whether every answer takes its time. */
function open({ later }: { readonly later: boolean }) {
  const given = <T>(value: T) => (later ? Promise.resolve(value) : value);
  const tables = {
    get: (table: TableName, id: string) =>
      given((ROWS[table]?.find((row) => 'id' in row && row.id === id) ?? null) as Row<TableName> | null),
    keyByHash: (hash: string) => given(hash === hashSecret('secret') ? KEY : null),
    versionOf: () => PROJECTS,
  } as unknown as Tables;
  const metadata = { read: (look) => look(tables) } as Partial<Metadata> as Metadata;
  const handled: string[] = [];
  const handlers = {
    'data.keys': ({ device }: { readonly device: { readonly id: string } }) => {
      handled.push(device.id);
      return { data: [] };
    },
  } as unknown as Handlers;
  const context = { metadata, default_account_id: 'a' } as Partial<Context> as Context;
  const dispatch = createDispatch(
    context,
    handlers,
    createLogger(() => {}),
  );
  const authenticate = createAuthenticate(
    metadata,
    clockOf(() => 0),
    () => given(undefined),
  );
  const ask = (project_id: string, device_id: string, authorization: string | undefined = 'Bearer secret') =>
    dispatch({
      id: 'data.keys',
      input: { project_id, device_id },
      authenticate: () => authenticate(authorization),
    });
  return { ask, handled };
}

test('a call whose metadata are at hand is with its handler before anything else has a turn', async () => {
  const { ask, handled } = open({ later: false });
  // The hash of a secret is looked up once.
  await ask('mine', 'pump');
  const answer = ask('mine', 'pump');
  expect(handled).toEqual(['pump', 'pump']);
  expect((await answer).envelope.status).toBe(200);
});

test.each([false, true])(
  'the checks are the same, in their order, whether metadata come later: %s',
  async (later) => {
    const { ask, handled } = open({ later });
    const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).envelope.status;
    expect(await statusOf('mine', 'pump')).toBe(200);
    expect(await statusOf('mine', 'pump', 'Bearer other')).toBe(401);
    expect(await statusOf('none', 'pump')).toBe(404);
    expect(await statusOf('mine', 'none')).toBe(404);
    expect(await statusOf('theirs', 'pump')).toBe(404);
    expect(await statusOf('theirs', 'valve')).toBe(403);
    expect(handled).toEqual(['pump']);
  },
);
