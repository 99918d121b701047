// The documentation as one page of HTML: the desktop app shows it in a window that goes nowhere else, without the internet.
import { readFileSync } from 'node:fs';
import { Marked } from 'marked';

/** What people who use the app look for, in this order; then what rigs do, and what somebody asks who moves or mends files. */
const CHAPTERS = [
  'technician',
  'dashboards',
  'remote',
  'push',
  'backup',
  'mqtt',
  'api',
  'local-api',
  'install',
  'running',
  'lab',
  'rigs',
  'ci',
  'storage-format',
];

/**
 * @param {(name: string) => string} read the text of a file of docs/
 * @returns {{ readonly html: string, readonly pictures: readonly string[] }} pictures: paths below docs/
 */
export function docsPage(read = (name) => readFileSync(`docs/${name}`, 'utf8')) {
  /** @type {string[]} */
  const pictures = [];
  const chapters = CHAPTERS.map((chapter) => {
    const text = read(`${chapter}.md`);
    const title = /^# (.*)$/m.exec(text)?.[1] ?? chapter;
    return { chapter, title, html: htmlOf(text, chapter, pictures) };
  });
  const contents = chapters
    .map(({ chapter, title }) => `<li><a href="#${chapter}">${title}</a></li>`)
    .join('');
  const body = chapters.map(({ chapter, html }) => `<section id="${chapter}">${html}</section>`).join('\n');
  return {
    pictures,
    html: frame(`<nav aria-label="Contents"><ul>${contents}</ul></nav>\n<main>${body}</main>`),
  };
}

/**
 * @param {string} text
 * @param {string} chapter
 * @param {string[]} pictures
 */
function htmlOf(text, chapter, pictures) {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        return `<h${depth} id="${chapter}-${slugOf(words)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = targetOf(href, chapter);
        if (target !== null) return `<a href="#${target}">${words}</a>`;
        // The window opens nothing from outside: who needs an address reads it.
        return href.startsWith('https://') ? `${words} (${href})` : words;
      },
      image({ href, text: alt }) {
        pictures.push(href);
        return `<img src="./${href}" alt="${alt}">`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

/**
 * @param {string} href as it stands in a chapter
 * @param {string} chapter
 * @returns {string | null} its place in the page; null where that has none
 */
function targetOf(href, chapter) {
  const [, file, place = ''] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(href) ?? [];
  const name = file ?? (place === '' ? null : chapter);
  if (name === null || name === undefined || !CHAPTERS.includes(name)) return null;
  return place === '' ? name : `${name}-${place}`;
}

/**
 * As GitHub names headings.
 * @param {string} words
 */
const slugOf = (words) =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** @param {string} body */
const frame = (body) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Fieldbench – Documentation</title>
    <style>
      :root { color-scheme: light dark; font: 15px/1.55 system-ui, sans-serif; }
      body { margin: 0 auto; max-width: 60rem; padding: 1rem 2rem 4rem; background: light-dark(#fff, #1f2226); color: light-dark(#1c2126, #c8cdd2); }
      a { color: light-dark(#0b7285, #4fadc5); }
      h1 { margin-top: 3rem; }
      code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; background: light-dark(#f1f3f5, #282c31); }
      pre { padding: 0.75rem; overflow-x: auto; }
      table { border-collapse: collapse; display: block; overflow-x: auto; }
      th, td { border: 1px solid light-dark(#dfe3e6, #33383e); padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
      img { max-width: 100%; }
    </style>
  </head>
  <body>
${body}
  </body>
</html>
`;
