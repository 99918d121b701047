/** The code units of a key, the low byte first: equal for equal keys, whatever these hold. */
export const keyBytes = (key: string): Buffer => Buffer.from(key, 'utf16le');

export const keyOf = (bytes: Buffer): string => bytes.toString('utf16le');
