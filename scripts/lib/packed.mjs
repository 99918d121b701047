import { brotliCompressSync, constants } from 'node:zlib';

/**
 * Packs a file that is read seldom by Brotli, as small as it gets.
 * @param {Uint8Array} bytes
 */
export const packed = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
