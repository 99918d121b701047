import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { docsPage } from '../../../scripts/lib/docs-page.mjs';

const { html, pictures } = docsPage();

test('every link of the documentation leads to a place in it, and nothing comes from elsewhere', () => {
  const places = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  expect(links.length).toBeGreaterThan(20);
  for (const link of links) expect(places, link).toContain(link.slice(1));
  expect(html).not.toMatch(/<(script|link|iframe)|src="(?!\.\/pictures\/)/);
});

test('its pictures come along', () => {
  expect(pictures.length).toBeGreaterThan(3);
  for (const picture of pictures) expect(existsSync(`docs/${picture}`), picture).toBe(true);
});

test('a chapter’s words are there as they were written, tables and code too', () => {
  const { html: one } = docsPage((name) =>
    name === 'api.md' ? '# The API\n\n| a | b |\n| - | - |\n| `x <y>` | [M](mqtt.md) |\n' : '# Other\n',
  );
  expect(one).toContain('<li><a href="#api">The API</a></li>');
  expect(one).toContain('<td><code>x &lt;y&gt;</code></td>');
  expect(one).toContain('<a href="#mqtt">M</a>');
});
