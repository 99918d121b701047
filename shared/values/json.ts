/*
 * V8 guesses the next key of an object from objects it has read before, and compares the guess with the characters as
 * they are written: once any object held a key `\`, `"\u00b5"` is read as `\`, whoever sent it (nodejs/node#63785; in
 * every Node from 24 on that was tried). Keys without an escape are compared rightly, so only texts that hold a key
 * with one are read here. The linter keeps JSON.parse out of everything else.
 */

/** Reads JSON as JSON.parse does (RFC 8259), but every key as the sender wrote it. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  // Whatever it may read wrongly, it says of any text whether it is JSON, and where it is not.
  const value: unknown = JSON.parse(text);
  return hasEscapedKey(text) ? readValid(text) : value;
}

/** Whether a valid JSON text holds a key that is written with a backslash. */
function hasEscapedKey(text: string): boolean {
  let escape = text.indexOf('\\');
  while (escape !== -1) {
    // Only strings hold backslashes, and what stands before its first one holds no quote.
    const end = endOfString(text, text.lastIndexOf('"', escape));
    if (isKey(text, end)) return true;
    escape = text.indexOf('\\', end);
  }
  return false;
}

/** Where the string that begins at `start` ends: behind its closing quote. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === '\\') first--;
  return (quote - first) % 2 === 1;
}

function isKey(text: string, end: number): boolean {
  let next = end;
  while (isSpace(text[next])) next++;
  return text[next] === ':';
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}

type Container = unknown[] | Record<string, unknown>;

/** Reads a text that is known to be JSON. Its own stack: JSON.parse takes any depth. */
function readValid(text: string): unknown {
  const open: Container[] = [];
  let result: unknown;
  let key: string | null = null;

  function put(value: unknown): void {
    const container = open.at(-1);
    if (container === undefined) result = value;
    else if (Array.isArray(container)) container.push(value);
    else {
      // "__proto__" is a key like any other.
      Object.defineProperty(container, key ?? '', {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
      key = null;
    }
  }

  for (let at = 0; at < text.length;) {
    const character = text[at];
    if (character === '{' || character === '[') {
      const container: Container = character === '{' ? {} : [];
      put(container);
      open.push(container);
      at++;
    } else if (character === '}' || character === ']') {
      open.pop();
      at++;
    } else if (character === '"') {
      const end = endOfString(text, at);
      const read = JSON.parse(text.slice(at, end)) as string;
      const container = open.at(-1);
      if (key === null && container !== undefined && !Array.isArray(container)) key = read;
      else put(read);
      at = end;
    } else if (character === ',' || character === ':' || isSpace(character)) at++;
    else {
      const end = endOfWord(text, at);
      put(JSON.parse(text.slice(at, end)));
      at = end;
    }
  }
  return result;
}

/** Where a number, true, false or null that begins at `start` ends. */
function endOfWord(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && !/[\s,\]}]/.test(text[end] ?? '')) end++;
  return end;
}
