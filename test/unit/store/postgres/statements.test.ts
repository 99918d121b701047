import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../../../electron/core/store/postgres');
const TABLES = 'device_head|device_key|tail|segment|segment_key|block|staging|receipt|kept|outcome';
const STATEMENT =
  /(?<quote>['"`])(?<sql>(?:SELECT|INSERT|UPDATE|DELETE|WITH)\s(?:(?!\k<quote>)[\s\S])*)\k<quote>/g;
/** Of no one lane: asked now and then, or of one PostgreSQL alone. */
const ACROSS = [
  'APPEND',
  'NOT_LOCKED',
  'DEVICES',
  'KEEPING',
  'HEADS_OF_LANES',
  'LANES_OF_GONE',
  'LANES_OF_SILENT',
  'LANES_OF_DROPPED',
];
/** What every look at a device asks, and what a page asks behind it. */
const HOT = ['HEAD', 'HEADS', 'TAIL_SINCE', 'SEGMENTS', 'BLOCKS_OF', 'KEYS_OF', 'COUNTS_OF'];

/** Every SQL text of the driver that speaks of records, with the name of its constant; what others are made of is put in. */
async function statements(): Promise<{ name: string; sql: string }[]> {
  const found: { name: string; sql: string }[] = [];
  for (const file of await readdir(FOLDER, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const text = await readFile(join(FOLDER, file), 'utf8');
    for (const match of text.matchAll(STATEMENT)) {
      const name = /(\w+) =\s*$/.exec(text.slice(0, match.index))?.[1] ?? `in ${file}`;
      const sql = match.groups?.['sql'] ?? '';
      if (new RegExp(`\\b(?:${TABLES})\\b`).test(sql)) found.push({ name, sql });
    }
  }
  return found;
}

test('every statement about records but a few names one lane, so that a node of its own answers it', async () => {
  const all = await statements();
  expect(all.length).toBeGreaterThan(50);
  const crossing = all.filter(({ sql }) => {
    if (sql.startsWith('INSERT'))
      return !/\(lane, .*(?:VALUES \(\$1|VALUES \$\{rows\}|SELECT \$1,)/s.test(sql);
    return !/\blane = \$1\b/.test(sql);
  });
  expect(crossing.map(({ name }) => name).toSorted()).toEqual(ACROSS.toSorted());
});

test('what every read asks is of one table, without a subquery', async () => {
  const all = await statements();
  for (const name of HOT) {
    const hot = all.find((statement) => statement.name === name);
    expect(hot, name).toBeDefined();
    const sql = hot?.sql ?? '';
    expect(sql.match(/\bSELECT\b/g), name).toHaveLength(1);
    expect(sql, name).not.toMatch(/\bJOIN\b|\bWITH\b|FROM [a-z_]+,/);
  }
});

test('nothing is asked that PostgreSQL alone knows', async () => {
  const schema = await Promise.all(
    ['schema.sql', 'schema-metadata.sql', 'schema-2.sql', 'schema-3.sql', 'schema-4.sql', 'schema-5.sql'].map(
      (name) => readFile(join(FOLDER, 'schema', name), 'utf8'),
    ),
  );
  const code = (text: string) => text.replaceAll(/^--.*$/gm, '');
  for (const text of [...schema.map(code), ...(await statements()).map(({ sql }) => sql)])
    expect(text).not.toMatch(/\bTRIGGER\b|pg_advisory|\bEXTENSION\b|\bctid\b/i);
  expect(code(schema[0] ?? '')).not.toMatch(/nextval|IDENTITY|\bSERIAL\b/i);
});
