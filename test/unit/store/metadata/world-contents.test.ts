import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JournalName } from '#core/backend/journals.ts';
import { TABLE_NAMES } from '#core/store/metadata/metadata-schema.ts';
import {
  carriedTables,
  CARRIERS,
  leftOutBy,
  WORLD_CONTENTS,
  type Carrier,
  type ContentName,
} from '#core/store/metadata/world-contents.ts';
import type { SecretRef } from '#core/vault/vault.ts';

/* What is kept beside the metadata, in words of the list: what is new here has to be said there first. */

/** Null: only of work that is under way. */
const OF_JOURNALS: Record<JournalName, ContentName | null> = {
  'api-key-use': 'key_use',
  chance: 'drawn',
  'console-sessions': 'console_sessions',
  'mqtt-alarms': 'mqtt_sessions',
  'mqtt-sessions': 'mqtt_sessions',
  'push-agreed': 'sync_baselines',
  restore: null,
  'store-check': 'checks',
};
const OF_SECRETS: Record<SecretRef['kind'], ContentName | null> = {
  'api-key': 'secrets',
  'device-token': 'secrets',
  'tls-key': 'doors',
  'other-service': 'other_services',
  'signing-key': 'signing_key',
  'mail-password': 'mail_password',
  probe: null,
};

test('all that is kept is said of, for every carrier, in words of its own', () => {
  expect(Object.keys(WORLD_CONTENTS)).toEqual(expect.arrayContaining(TABLE_NAMES));
  const kept = [...Object.values(OF_JOURNALS), ...Object.values(OF_SECRETS)].filter((name) => name !== null);
  expect(Object.keys(WORLD_CONTENTS)).toEqual(expect.arrayContaining(kept));
  const all = Object.values(WORLD_CONTENTS);
  expect(new Set(all.map(({ what }) => what)).size).toBe(all.length);
  for (const by of CARRIERS)
    for (const { what, why } of leftOutBy(by)) {
      expect([what, why.length > 10], `${by}: ${what}`).toEqual([what, true]);
      expect(`${what}${why}`).not.toMatch(/[|\n]/);
    }
});

test('what is carried and what is left out are all that there is', () => {
  for (const by of CARRIERS) {
    const left = new Set(leftOutBy(by).map(({ name }) => name));
    expect([...TABLE_NAMES.filter((name) => left.has(name)), ...carriedTables(by)].toSorted()).toEqual(
      TABLE_NAMES.toSorted(),
    );
  }
});

/** Where each carrier is described. */
const PAGES: Record<Carrier, readonly [page: string, heading: string]> = {
  snapshot: ['docs/rigs.md', 'What a snapshot leaves out'],
  backup: ['docs/backup.md', 'What a backup leaves out'],
  push: ['docs/push.md', 'What stays here'],
  undo: ['docs/local-api.md', 'What no undo brings back'],
};

describe('what is left out stands in the documentation, with why', () => {
  test.each(CARRIERS)('of a %s', (by) => {
    const [page, heading] = PAGES[by];
    const text = readFileSync(resolve(import.meta.dirname, '../../../..', page), 'utf8');
    const section = text.split(`\n### ${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? '';
    const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
    const said = rows.map((row) => row.split('|').map((cell) => cell.trim()));
    // What has the same reason shares a line.
    const reasons = Map.groupBy(leftOutBy(by), ({ why }) => why);
    expect(said).toEqual(
      [...reasons].map(([why, all]) => ['', all.map(({ what }) => what).join('; '), why, '']),
    );
  });
});
