/** Returns 16 bytes as a UUID with its version and variant in their places (RFC 9562, 4); they are written into the bytes. */
export function uuidOf(bytes: Buffer, version: 4 | 7): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
