const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/** Bytes of memory that a value takes at most beside its text: an empty object has three bytes of JSON. */
export const BYTES_OF_VALUE = 64;

/** About how many values a JSON text holds, never fewer: what reading it will take is known before it is read. */
export function valuesIn(json: Uint8Array): number {
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === COMMA || byte === OPENING_BRACKET || byte === OPENING_BRACE) values++;
  }
  return values;
}

/** Where the text that begins at a quote has its other one; the end where there is none. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === QUOTE) return at;
    if (json[at] === BACKSLASH) at++;
  }
  return json.length;
}
