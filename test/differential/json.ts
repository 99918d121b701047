/*
 * JSON read and written without the runtime's own JSON: the oracle must not share a defect with what it judges. Objects
 * become Maps, so that "__proto__" and "0" are names like any other and keep their place. Of a repeated name the last counts.
 */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = Map<string, Json>;

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = { true: true, false: false, null: null } as const;

/** Reads one JSON value. Throws a SyntaxError on anything else. */
export function readJson(text: string): Json {
  const reader = new Reader(text);
  const value = reader.value();
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): Json {
    this.#blanks();
    const value = this.#bare();
    this.#blanks();
    return value;
  }

  end(): void {
    if (this.#at < this.#text.length) this.#fail();
  }

  #bare(): Json {
    const start = this.#text[this.#at];
    if (start === '{') return this.#object();
    if (start === '[') return this.#array();
    if (start === '"') return this.#string();
    for (const [word, value] of Object.entries(WORDS))
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    NUMBER.lastIndex = this.#at;
    const [number] = NUMBER.exec(this.#text) ?? this.#fail();
    this.#at += number.length;
    return Number(number);
  }

  #object(): JsonObject {
    const object: JsonObject = new Map();
    this.#at++;
    this.#blanks();
    if (this.#take('}')) return object;
    do {
      this.#blanks();
      const name = this.#string();
      this.#blanks();
      this.#must(':');
      object.set(name, this.value());
    } while (this.#take(','));
    this.#must('}');
    return object;
  }

  #array(): Json[] {
    const array: Json[] = [];
    this.#at++;
    this.#blanks();
    if (this.#take(']')) return array;
    do array.push(this.value());
    while (this.#take(','));
    this.#must(']');
    return array;
  }

  #string(): string {
    this.#must('"');
    let result = '';
    for (;;) {
      const from = this.#at;
      while (isPlain(this.#text.charCodeAt(this.#at))) this.#at++;
      result += this.#text.slice(from, this.#at);
      if (this.#take('"')) return result;
      this.#must('\\');
      const escape = this.#text[this.#at++] ?? this.#fail();
      if (escape === 'u') {
        const digits = this.#text.slice(this.#at, this.#at + 4);
        if (!/^[\da-f]{4}$/i.test(digits)) this.#fail();
        result += String.fromCharCode(parseInt(digits, 16));
        this.#at += 4;
      } else result += ESCAPES[escape] ?? this.#fail();
    }
  }

  #blanks(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? '.')) this.#at++;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #must(character: string): void {
    if (!this.#take(character)) this.#fail();
  }

  #fail(): never {
    throw new SyntaxError(`no JSON at character ${this.#at} of ${this.#text.slice(0, 200)}`);
  }
}

/** Neither the quote nor a backslash nor a control character; NaN is the end. */
const isPlain = (code: number) => code >= 0x20 && code !== 0x22 && code !== 0x5c;

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A text as JSON: escaped is only what must be, lone surrogates included (they have no UTF-8). */
export function jsonText(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let json = '"';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const mustEscape = code < 0x20 || (code >= 0xd800 && code <= 0xdfff);
    json += SHORT[character] ?? (mustEscape ? unicodeEscape(code) : character);
  }
  return `${json}"`;
}

const unicodeEscape = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
