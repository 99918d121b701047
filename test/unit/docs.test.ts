import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenCitations, brokenLinks, citationsNotHeld } from '../helpers/citations.ts';

/* Comments cite pages of docs/ by their headings, and pages link to one another: every one of these leads somewhere. */

const project = resolve(import.meta.dirname, '../..');
const exists = (path: string) => existsSync(join(project, path));
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const sources = ['electron', 'renderer', 'shared', 'test', 'scripts', 'bench'].flatMap((folder) =>
  filesIn(folder).filter((path) => /\.(?:[cm]?[jt]s|tsx|css|html)$/.test(path)),
);
const markdown = [
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  ...filesIn('docs').filter((path) => path.endsWith('.md')),
];
const pages = new Map(markdown.filter(exists).map((path) => [path, read(path)]));

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

  test.each(markdown)('%s is there, and links only to what is there', (path) => {
    expect(exists(path)).toBe(true);
    expect(brokenLinks(path, pages, exists)).toEqual([]);
  });
});

describe('the check', () => {
  // Put together here, so that the check does not find them in this file.
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
