import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenCitations, brokenLinks, brokenPaths, citationsNotHeld } from '../helpers/citations.ts';

/* Comments cite pages of docs/ by their headings, pages link to one another, both name files: each of these leads somewhere. */

const project = resolve(import.meta.dirname, '../..');
const exists = (path: string) => existsSync(join(project, path));
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const sources = ['client', 'electron', 'renderer', 'shared', 'test', 'scripts', 'packaging', 'bench'].flatMap(
  (folder) => filesIn(folder).filter((path) => /\.(?:[cm]?[jt]s|tsx|css|html|sql)$/.test(path)),
);
const markdown = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'test/arduino/README.md',
  'test/electron-stand-in/README.md',
  'electron/core/store/blocks/README.md',
  'electron/core/store/log/README.md',
  ...filesIn('docs').filter((path) => path.endsWith('.md')),
];
const pages = new Map(markdown.filter(exists).map((path) => [path, read(path)]));

/** Every end of every path: `store/log/log.ts`, `log.ts`, `store`. */
const ends = new Set(
  [
    'client',
    'examples',
    'electron',
    'renderer',
    'shared',
    'test',
    'scripts',
    'packaging',
    'bench',
    'docs',
    'deploy',
    '.github',
  ]
    .flatMap(filesIn)
    .concat(readdirSync(project))
    .flatMap(endsOf),
);

function endsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.flatMap((_part, from) =>
    parts.slice(from).map((_end, length) => parts.slice(from, from + length + 1).join('/')),
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === 'node_modules' ? [] : filesIn(path);
  });
}

/** Each file with what is wrong in it. */
const faultsOf = (paths: readonly string[], faults: (path: string) => readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, faults(path)]).filter(([, found]) => found?.length));

describe('what is written here', () => {
  test('cites only pages and headings that are there', () => {
    expect(sources.length).toBeGreaterThan(300);
    const cited = [...sources, ...pages.keys()];
    expect(faultsOf(cited, (path) => brokenCitations(read(path), pages))).toEqual({});
  });

  test('cites nothing that the repository does not hold', () => {
    const cited = [...sources, ...pages.keys()];
    expect(faultsOf(cited, (path) => citationsNotHeld(read(path)))).toEqual({});
  });

  test('names only files and folders that are there', () => {
    const named = [...sources, ...pages.keys()];
    expect(faultsOf(named, (path) => brokenPaths(path, read(path), (end) => ends.has(end)))).toEqual({});
  });

  test.each(markdown)('%s is there, and links only to what is there', (path) => {
    expect(exists(path)).toBe(true);
    expect(brokenLinks(path, pages, exists)).toEqual([]);
  });
});

describe('the check', () => {
  // Put together here, so that the check does not find them in this file.
  const line = ['/', '/'].join('');
  const api = ['docs', 'api.md'].join('/');
  const some = new Map([
    [api, '# API\n\n## Order of checks\n\n## Beyond `/v2`\n\n```sh\n# no heading\n```\n'],
  ]);

  test.each([
    ['a title', `(${api}, "Order of checks")`],
    ['a title over two lines', `/** Runs first (${api}, "Order\n * of checks"). */`],
    ['two titles', `// ${api}, "Order of checks" and\n  // "Beyond /v2"`],
    ['a page', `see ${api}`],
  ])('passes %s that is there', (_what, text) => {
    expect(brokenCitations(text, some)).toEqual([]);
  });

  test.each([
    ['a title', `/* (${api}, "Order of check") */`, `${api} has no heading "Order of check"`],
    ['the second title', `${api}, "Order of checks" and "Field"`, `${api} has no heading "Field"`],
    ['what is no heading', `${api}, "no heading"`, `${api} has no heading "no heading"`],
    ['a page', `${api.replace('api', 'apis')}, "Fields"`, `there is no ${api.replace('api', 'apis')}`],
  ])('finds %s that is not', (_what, text, fault) => {
    expect(brokenCitations(text, some)).toEqual([fault]);
  });

  const contract = ['con', 'tract'].join('');
  const section = ['docu', 'ment'].join('');
  test.each([
    `(${contract}, "Access")`,
    `${contract} "Fetch data"`,
    `what the ${contract} says`,
    `what the\n * ${contract} says`,
    `(${contract}: accepted means durable)`,
    `(${section} 4.1)`,
    `(${section},\n * section 2)`,
    `${contract}.md`,
  ])('finds %j, which is held nowhere', (text) => {
    expect(citationsNotHeld(text)).not.toEqual([]);
  });

  test.each(["import { createWorld } from '../contract/world.ts';", 'the OpenAPI document, which is bare'])(
    'leaves %j alone',
    (text) => expect(citationsNotHeld(text)).toEqual([]),
  );

  test.each([
    ['page.md', '`core/gone.ts`', 'core/gone.ts'],
    ['page.md', 'all of `core/gone/`', 'core/gone/'],
    ['page.md', '`gone.ts`', 'gone.ts'],
    ['core/there.ts', `${line} as core/gone.ts has it`, 'core/gone.ts'],
    ['core/there.ts', `  ${line} gone.sql`, 'gone.sql'],
  ])('finds in %s that %j names what is not there', (path, text, gone) => {
    expect(brokenPaths(path, text, (end) => end === 'core/there.ts')).toEqual([gone]);
  });

  test.each([
    [
      'page.md',
      '`core/there.ts`, `text/csv`, `/v2/gone/`, `N/A`, `<key>/gone.ts`, `a*/gone.ts`, `screenshots/`',
    ],
    ['page.md', '```\n`core/gone.ts`\n```'],
    ['core/there.ts', `import './gone.ts'; ${line} core/there.ts`],
  ])('leaves in %s alone %j', (path, text) => {
    expect(brokenPaths(path, text, (end) => end === 'core/there.ts')).toEqual([]);
  });

  test('finds links to files and headings that are not there', () => {
    const page = [
      '[good](docs/api.md#order-of-checks) [good](docs/api.md#beyond-v2) [good](#here)',
      '[page](gone.md) [heading](docs/api.md#gone) [own](#gone) [far](https://example.org/x)',
      '`[code](gone.md)`',
      '## Here',
    ].join('\n');
    const linked = new Map([...some, ['README.md', page]]);
    expect(brokenLinks('README.md', linked, (path) => linked.has(path))).toEqual([
      'README.md: gone.md is not there',
      'README.md: docs/api.md#gone names no heading',
      'README.md: #gone names no heading',
    ]);
  });
});
