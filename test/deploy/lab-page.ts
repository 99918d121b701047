import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from 'marked';

/* docs/lab.md as its reader takes it: commands, section by section. */

export const PROJECT = join(import.meta.dirname, '../..');

/** The commands under a heading of docs/lab.md, up to the next heading of any depth. Throws where there are none. */
export function commandsUnder(heading: string): string[] {
  const tokens = marked.lexer(readFileSync(join(PROJECT, 'docs/lab.md'), 'utf8'));
  const from = tokens.findIndex((token) => token.type === 'heading' && token.text === heading);
  const rest = tokens.slice(from + 1);
  const to = rest.findIndex(({ type }) => type === 'heading');
  const blocks = rest
    .slice(0, to < 0 ? rest.length : to)
    .flatMap((token) => (token.type === 'code' && token.lang === 'sh' ? [String(token.text)] : []));
  if (from < 0 || blocks.length === 0) throw new Error(`docs/lab.md has no commands under "${heading}".`);
  return blocks;
}
