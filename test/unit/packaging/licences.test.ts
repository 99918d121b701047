import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainText, wholeLicences } from '../../../packaging/licences.mjs';
import { isBuilt } from '../../../scripts/lib/build.mjs';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-licences-'))));
afterAll(() => rm(folder, { recursive: true }));

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;');

/** As Chromium lays it out (components/webui/resources/about_credits.tmpl, about_credits_entry.tmpl). */
const credits = (entries: readonly { name: string; licence: string }[]) => `<!doctype html>
<html><head><title>Credits</title><style>.licence { display: none }</style></head><body>
<span class="page-title">Credits</span>
${entries
  .map(
    ({ name, licence }) => `<div class="product">
<span class="title">${escaped(name)}</span>
<span class="homepage"><a href="https://example.org/?a=1&amp;b=2">homepage</a></span>
<label class="show" tabindex="0">
<input type="checkbox" hidden>
</label>
<div class="licence">
<pre>${escaped(licence)}</pre>
</div>
</div>`,
  )
  .join('\n')}
<script src="chrome://credits/credits.js">never()</script></body></html>`;

test('Chromium’s credits become text: names below lines, addresses, licences as they are', () => {
  const licence = 'Copyright <the author> & others\n\n   THE SOFTWARE IS PROVIDED "AS IS"\n';
  expect(plainText(credits([{ name: 'A & B', licence }]))).toBe(
    `Credits\n\n${'-'.repeat(80)}\nA & B\nhomepage (https://example.org/?a=1&b=2)\n${licence}`,
  );
});

test('no licence of a page of credits loses a letter, whatever is in it', () => {
  const texts = fc.array(
    fc.record({
      name: fc.stringMatching(/^[A-Za-z][\w<>&"'; -]{0,20}[a-z]$/),
      licence: fc.string({
        unit: fc.constantFrom('a', ' ', '\n', '<', '>', '&', '"', ';', 'lt', '#34', '</', 'pre', '©'),
        minLength: 1,
        maxLength: 40,
      }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(texts, (entries) => {
      const text = plainText(credits(entries));
      let at = 0;
      for (const { name, licence } of entries) {
        at = text.indexOf(`\n${name.replaceAll(/\s+/g, ' ')}\nhomepage`, at);
        expect(at).toBeGreaterThan(0);
        at = text.indexOf(licence, at);
        expect(at).toBeGreaterThan(0);
      }
    }),
  );
});

test('words in angle brackets that nobody escaped are text, and so is a page that is none', () => {
  expect(plainText('<pre>Copyright <year> <name of author> <me@example.org></pre>')).toBe(
    'Copyright <year> <name of author> <me@example.org>\n',
  );
  expect(plainText('no page\n').trim()).toBe('no page');
});

test.skipIf(!isBuilt())('one text has all: ours, the libraries’, and what runs them', async () => {
  const [electron, chromium] = [join(folder, 'LICENSE'), join(folder, 'credits.html')];
  await writeFile(electron, 'Copyright of Electron\r\n');
  await writeFile(chromium, credits([{ name: 'Skia', licence: 'Copyright of Skia\n' }]));
  const text = wholeLicences([
    { title: 'Electron', file: electron },
    { title: 'Chromium', file: chromium },
  ]);
  expect(text).toMatch(
    /^MIT License[^]*\n={80}\nfastify \d[^]*\n={80}\nElectron\n\nCopyright of Electron\n\n={80}\nChromium\n\n[^]*\nSkia\n[^]*Copyright of Skia\n$/,
  );
});

test.skipIf(!isBuilt())('nothing ships without the licence of what runs it', async () => {
  const file = join(folder, 'absent.txt');
  expect(() => wholeLicences([{ title: 'Electron', file }])).toThrow(
    `The licence of Electron, which has to ship with it, is not in ${file}.`,
  );
  await writeFile(join(folder, 'empty.txt'), '\n');
  expect(() => wholeLicences([{ title: 'Electron', file: join(folder, 'empty.txt') }])).toThrow(
    'of Electron',
  );
});
