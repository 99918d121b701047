import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startService } from '#core/service/service.ts';
import type { Config } from '#core/base/config.ts';
import { testConfig } from '../../helpers/service/config.ts';

/* The service's own certificate authority, which people had to trust: it goes on whatever is tried in between. */

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-authority-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** The authority that a start with this vault hands out. */
async function authorityWith(vault: Config['vault']): Promise<string> {
  const service = await startService(testConfig({ directory, tls: true, vault }), {
    log: { info() {}, warn() {}, error() {} },
  });
  try {
    return await readFile(service.ca_file ?? '', 'utf8');
  } finally {
    await service.close();
  }
}

test('a start that keeps its secrets in memory has an authority of its own, and leaves the trusted one alone', async () => {
  const trusted = await authorityWith('file');
  expect(await authorityWith('memory')).not.toBe(trusted);
  expect(await authorityWith('file')).toBe(trusted);
});
