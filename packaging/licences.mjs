// The licences of all that is shipped, as one text: what the build wrote of ours and the libraries' (scripts/lib/licences.mjs), and what runs them.
import { existsSync, readFileSync } from 'node:fs';
import { CommandError, inProject } from '../scripts/lib/project.mjs';

/** @typedef {{ title: string, file: string }} Bearer title: what is under the licence; file: its text, or a page of HTML (.html) */

/** Of the file that ships, beside the program and, on a Mac, in the app's Resources (electron/shell/help/licences-file.ts). */
export const LICENCES = 'licences.txt';

/**
 * @param {readonly Bearer[]} bearers what ships beside the libraries, in this order
 * @returns {string}
 */
export const wholeLicences = (bearers) =>
  [
    readFileSync(inProject(`out/renderer/${LICENCES}`), 'utf8'),
    ...bearers.map(({ title, file }) => `${'='.repeat(80)}\n${title}\n\n${textOf(file, title)}`),
  ].join('\n');

/**
 * @param {string} file
 * @param {string} title
 */
function textOf(file, title) {
  const text = existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : '';
  if (text.trim() === '')
    throw new CommandError(`The licence of ${title}, which has to ship with it, is not in ${file}.`);
  return `${(file.endsWith('.html') ? plainText(text) : text).trim()}\n`;
}

/** What is a tag in pages of credits; another word in angle brackets, such as <name of author>, is text. */
const TAG =
  /<!--[^]*?-->|<!doctype[^>]*>|<(script|style|head)\b[^>]*>[^]*?<\/\1>|<(\/?)(html|body|div|span|a|label|input|pre|p|br|hr|h[1-6]|ul|ol|li|b|i|em|strong|code|table|tr|td|th)\b([^>]*)>/gi;

/** Tags that end a line. */
const ENDS_LINE = /^(div|pre|p|br|hr|h[1-6]|ul|ol|li|tr)$/;

/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/**
 * A page of Chromium's credits as text: all that it shows, what is preformatted as it is, each name below a line, each link with
 * its address.
 * @param {string} html
 */
export function plainText(html) {
  /** @type {string[]} */
  const pieces = [];
  let isPreformatted = false;
  let address = '';
  let at = 0;
  /** @param {string} text */
  const add = (text) => void (text !== '' && pieces.push(text));
  const endLine = () => void (pieces.at(-1)?.endsWith('\n') === false && pieces.push('\n'));
  /** @param {string} piece of the page */
  const addText = (piece) => {
    const words = unescaped(piece);
    if (isPreformatted) add(words);
    else if (words.trim() !== '') add(words.replaceAll(/\s+/g, ' '));
  };
  for (const match of html.matchAll(TAG)) {
    const [all, , slash, name = '', attributes = ''] = match;
    addText(html.slice(at, match.index));
    at = match.index + all.length;
    const tag = name.toLowerCase();
    const isEnd = slash === '/';
    if (tag === 'pre') isPreformatted = !isEnd;
    if (tag === 'span' && /class="title"/.test(attributes)) add(`\n${'-'.repeat(80)}\n`);
    if (tag === 'a' && !isEnd) address = unescaped(/href="(https?:[^"]*)"/.exec(attributes)?.[1] ?? '');
    if (tag === 'a' && isEnd) {
      add(address && ` (${address})`);
      address = '';
    }
    if (ENDS_LINE.test(tag) || (tag === 'span' && isEnd)) endLine();
  }
  addText(html.slice(at));
  return pieces.join('');
}

/** @param {string} text with entities of HTML; those that are not known stay as they are */
const unescaped = (text) =>
  text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal, hexadecimal, name) =>
    name === undefined
      ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal))
      : (ENTITIES[name] ?? all),
  );
