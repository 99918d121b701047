const BETWEEN = /[\s:-]+/g;
const HEX = /^(?:0x)?((?:[0-9a-f]{2})*)$/i;

/** Returns the digits of bytes in hexadecimal, with blanks, `:` or `-` between them or without; null where a text is none. */
export const hexDigits = (text: string): string | null => HEX.exec(text.replaceAll(BETWEEN, ''))?.[1] ?? null;
