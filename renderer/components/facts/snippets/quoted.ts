/* A text as one literal of the language that a snippet is in, whatever the text has in it. */

/** Quotes a text for a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a text for Python 3: its escapes are all of JSON's. */
export const pythonText = (text: string): string => JSON.stringify(text);

/**
 * Quotes a text for C++. Octal escapes end after three digits, so that none swallows what comes next, and are the bytes of
 * UTF-8.
 */
export const cppText = (text: string): string =>
  `"${text.replace(/["\\]/g, '\\$&').replace(/[^ -~]/gu, octal)}"`;

const octal = (odd: string) =>
  Array.from(new TextEncoder().encode(odd), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');

/** Quotes a text for JavaScript: since 2019 every text of JSON is one of it. */
export const jsText = (text: string): string => JSON.stringify(text);
