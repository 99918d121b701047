import type { Uplink } from './uplinks.ts';

/** Function of a program that decodes one input. */
export const ENTRY = '__decode';

/** Of CommonJS as much as decoders that are tried in Node ask for; on the script's own first line. */
const HEAD = 'globalThis.module = { exports: {} }; globalThis.exports = module.exports; ';

/*
 * TS013-1.0.0's `decodeUplink(input)`, also where a bundler left it in `module.exports` or in `driver` (ThingPark); else the two older forms
 * in which many decoders of makers are still given out: The Things Network's `Decoder(bytes, port)` and ChirpStack's
 * `Decode(fPort, bytes, variables)`, which return the data itself.
 */
const GLUE = `
;function ${ENTRY}(input) {
  input.recvTime = new Date(input.recvTime);
  if (typeof decodeUplink === 'function') return decodeUplink(input);
  var bundled = [module.exports, typeof driver === 'object' ? driver : null];
  for (var i = 0; i < bundled.length; i++)
    if (bundled[i] && typeof bundled[i].decodeUplink === 'function') return bundled[i].decodeUplink(input);
  if (typeof Decoder === 'function') return { data: Decoder(input.bytes, input.fPort) };
  if (typeof Decode === 'function') return { data: Decode(input.fPort, input.bytes, input.variables) };
  throw new Error('the script has no function decodeUplink(input)');
}`;

/** Returns the program of a script: itself with the entry behind it, so that lines keep their numbers. */
export const programOf = (script: string): string => `${HEAD}${script}\n${GLUE}`;

/** Returns the input of an entry as JSON; `recvTime` is in ms, as the sandbox takes it. */
export function inputOf({ bytes, received }: Uplink, fPort: number): string {
  return `{"bytes":[${bytes.join()}],"fPort":${fPort},"recvTime":${Math.floor(received / 1000)},"variables":{}}`;
}
