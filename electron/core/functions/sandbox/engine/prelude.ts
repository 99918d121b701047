import { MOST_MESSAGE, MOST_RESULT } from '../outcome.ts';

/** First character of what `call` returns where it is no JSON. */
export const MARKS = { thrown: 'E', memory: 'M', size: 'S' } as const;

/** Name by which the engine tells lines of the script from those of the prelude. */
export const SCRIPT_FILE = 'script';

/**
 * Source that is evaluated before any script, in the engine. It returns [call, say]: `call` hands a JSON text to a function and returns
 * JSON or a marked message, `say` returns the marked message of what was thrown. Both use only what they took before a script could change it.
 */
export const PRELUDE = `(() => {
'use strict';
const { apply } = Reflect;
const { parse, stringify } = JSON;
const { slice } = String.prototype;
const { exec } = RegExp.prototype;
const toText = String;
const OutOfMemory = InternalError;
delete globalThis.SharedArrayBuffer;
delete globalThis.Atomics;
const nothing = () => undefined;
const quiet = {};
for (const name of ['assert', 'debug', 'dir', 'error', 'group', 'groupEnd', 'info', 'log', 'table', 'time', 'timeEnd', 'trace', 'warn'])
  quiet[name] = nothing;
Object.defineProperty(globalThis, 'console', { value: quiet, writable: true, configurable: true, enumerable: false });
const LINE = /\\b${SCRIPT_FILE}:(\\d+)/;
function lineOf(error) {
  const { stack } = error;
  if (typeof stack !== 'string') return '';
  const found = apply(exec, LINE, [stack]);
  return found === null ? '' : ' (line ' + found[1] + ')';
}
function wordsOf(error) {
  if ((typeof error !== 'object' && typeof error !== 'function') || error === null) return toText(error);
  const { name, message } = error;
  if (message === undefined) return toText(error);
  const words = name === undefined || name === '' ? toText(message) : toText(name) + ': ' + toText(message);
  const line = lineOf(error);
  return apply(slice, words, [0, ${MOST_MESSAGE} - line.length]) + line;
}
function say(error) {
  let isOutOfMemory = false;
  let words;
  try {
    isOutOfMemory = typeof error === 'object' && error instanceof OutOfMemory && error.message === 'out of memory';
    words = apply(slice, wordsOf(error), [0, ${MOST_MESSAGE}]);
  } catch {
    words = 'It threw what cannot be shown as text.';
  }
  return (isOutOfMemory ? '${MARKS.memory}' : '${MARKS.thrown}') + words;
}
function call(run, name, text) {
  try {
    const result = run(parse(text));
    if (typeof result === 'object' && result !== null && typeof result.then === 'function')
      return '${MARKS.thrown}' + name + ' returned a promise: it must return its result.';
    const json = stringify(result);
    if (json === undefined) return '${MARKS.thrown}' + name + ' returned ' + typeof result + ', which JSON cannot say: it must return a value.';
    if (json.length > ${MOST_RESULT}) return '${MARKS.size}' + json.length;
    return json;
  } catch (error) {
    return say(error);
  }
}
return [call, say];
})()`;
