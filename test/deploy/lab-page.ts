import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';

/* docs/lab.md, or another page, as its reader takes it: commands, section by section. */

export const PROJECT = join(import.meta.dirname, '../..');

/** The commands under a heading of a page, up to the next heading of any depth. Throws where there are none. */
export function commandsUnder(heading: string, page = 'docs/lab.md'): string[] {
  const tokens = marked.lexer(readFileSync(join(PROJECT, page), 'utf8'));
  const from = tokens.findIndex((token) => token.type === 'heading' && token.text === heading);
  const rest = tokens.slice(from + 1);
  const to = rest.findIndex(({ type }) => type === 'heading');
  const blocks = rest
    .slice(0, to < 0 ? rest.length : to)
    .flatMap((token) => (token.type === 'code' && token.lang === 'sh' ? [String(token.text)] : []));
  if (from < 0 || blocks.length === 0) throw new Error(`${page} has no commands under "${heading}".`);
  return blocks;
}
