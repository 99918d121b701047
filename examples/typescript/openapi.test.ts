import createClient from 'openapi-fetch';
import { expect, test } from 'vitest';
import type { paths } from './fieldbench.d.ts';

const client = createClient<paths>({
  baseUrl: process.env['FIELDBENCH_URL'] ?? '',
  headers: { authorization: `Bearer ${process.env['FIELDBENCH_KEY']}` },
});

test('a project that was made is listed', async () => {
  await client.POST('/_local/v1/projects', { body: { name: 'Boiler room' } });
  const { data } = await client.GET('/v2/projects');
  expect(data?.data.map(({ name }) => name)).toContain('Boiler room');
});
