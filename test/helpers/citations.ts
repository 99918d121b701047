/*
 * What comments and Markdown pages cite must be there: a reader who follows a title that is gone cannot tell a rule from
 * an accident. All of it works on texts, so that a test can feed it a wrong one.
 */

/** A title of a page that a text names: `docs/api.md, "Fields"`. */
export interface Citation {
  /** From the project's folder: `docs/api.md`. */
  readonly page: string;
  /** Null where the page alone is named. */
  readonly title: string | null;
}

/** A title, and the ones that follow it: `"Envelope" and "Fields"`. */
const CITATION = /\bdocs\/[\w-]+\.md(?:,\s"[^"\n]+"(?:(?:,|\sand|,\sand)\s"[^"\n]+")*)?/g;

function citationsIn(text: string): Citation[] {
  return [...onOneLine(text).matchAll(CITATION)].flatMap(([citation]): Citation[] => {
    const page = citation.replace(/,.*/, '');
    const titles = [...citation.matchAll(/"([^"]+)"/g)];
    return titles.length > 0 ? titles.map(([, title = '']) => ({ page, title })) : [{ page, title: null }];
  });
}

/** Says of each citation in a text that leads nowhere which one it is. `pages`: texts of the Markdown pages, by path. */
export function brokenCitations(text: string, pages: ReadonlyMap<string, string>): string[] {
  return citationsIn(text).flatMap(({ page, title }) => {
    const found = pages.get(page);
    if (found === undefined) return [`there is no ${page}`];
    return title === null || titlesOf(found).includes(title) ? [] : [`${page} has no heading "${title}"`];
  });
}

/** What the repository does not hold: sections of a document, and the name of a page, by which no reader finds anything. */
const NOT_HELD = [
  /\bcontract(?:,\s?|:?\s)"/i,
  /\bcontract:\s/i,
  /\bthe\scontract\b/i,
  /\bdocument,?\s(?:sections?\s)?\d/i,
  /\bcontract\.md\b/i,
];

/** What a text cites that the repository does not hold. */
export function citationsNotHeld(text: string): string[] {
  const whole = onOneLine(text);
  return NOT_HELD.flatMap((pattern) => pattern.exec(whole)?.[0] ?? []);
}

/** Says of each relative link of a page that leads nowhere which one it is. `exists` takes a path from the project's folder. */
export function brokenLinks(
  path: string,
  pages: ReadonlyMap<string, string>,
  exists: (path: string) => boolean,
): string[] {
  const text = withoutCode(pages.get(path) ?? '').replaceAll(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  return targets.flatMap((target) => {
    if (/^[a-z]+:/i.test(target)) return [];
    const { pathname, hash } = new URL(target, `file:///${path}`);
    const linked = decodeURIComponent(pathname.slice(1));
    if (linked !== path && !exists(linked)) return [`${path}: ${target} is not there`];
    const anchor = decodeURIComponent(hash.slice(1));
    if (anchor === '' || anchorsOf(pages.get(linked) ?? '').includes(anchor)) return [];
    return [`${path}: ${target} names no heading`];
  });
}

/**
 * Names in a text the paths that lead nowhere: of a page those in backticks, of source those of files in comments. A path is
 * said from any folder on, so `isEnd` takes the end of one.
 */
export function brokenPaths(path: string, text: string, isEnd: (path: string) => boolean): string[] {
  const named = path.endsWith('.md') ? pathsInBackticks(text) : filesInComments(text);
  return [...new Set(named)].filter((name) => !NOT_KEPT.test(name) && !isEnd(name.replace(/\/$/, '')));
}

/** What is made here and not kept, or is of another repository: Electron's and Chromium's. */
const NOT_KEPT = /^(?:logs\/|out\/|screenshots\/|electron\/(?:docs|lib)\/|docs\/linux\/)/;

/** A folder has a slash at its end or begins at one of the project's; without slashes only source is a file here. */
const PATH =
  /^(?:(?:[\w.@-]+\/)+|(?:electron|renderer|shared|test|scripts|bench|docs|deploy)\/[\w./@-]+|(?:[\w.@-]+\/)+[\w.@-]+\.(?:css|html|js|json|md|plist|service|sh|ya?ml)|(?:[\w.@-]+\/)*[\w.@-]+\.(?:[cm]?tsx?|[cm]js|sql))$/;

const pathsInBackticks = (text: string) =>
  [...withoutCode(text).matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => (PATH.test(code) ? code : []));

const COMMENT = /\/\*[^]*?\*\/|(?:^|\s)\/\/.*$|^--.*$/gm;
const FILE = /(?<![\w./#@-])[\w-]+(?:\/[\w.-]+)*\.(?:[cm]?tsx?|[cm]js|sql|md)\b/g;

const filesInComments = (text: string) =>
  [...text.matchAll(COMMENT)].flatMap(([comment]) => [...comment.matchAll(FILE)].map(([file]) => file));

/** The headings of a page, without the marks of code and links. */
function titlesOf(markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, title = '']) =>
    title.replaceAll(/`|\[([^\]]*)\]\([^)]*\)/g, '$1'),
  );
}

/** The anchors that GitHub and editors make of the headings. */
function anchorsOf(markdown: string): string[] {
  const seen = new Map<string, number>();
  return titlesOf(markdown).map((title) => {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

/** A `#` in a shell's script is no heading. */
const withoutCode = (markdown: string) => markdown.replaceAll(/^(```|~~~)[^]*?^\1/gm, '');

/** A comment that breaks its line, as one: the mark that begins the next line goes. */
const onOneLine = (text: string) => text.replaceAll(/\s*\n\s*(?:\/\/|\*(?!\/))?\s*/g, ' ');
