import { SHAPES } from '#shared/domain/shapes.ts';
import { alternatives } from '#shared/values/text.ts';
import { UsageError } from '../../../base/errors.ts';
import { durationOf } from '../../duration.ts';

/* Shapes and trouble as people type them: `temperature=sine:mean=20,amplitude=5,period=1h`. */

/** Fields that are times, and what each is called in the operation. */
const TIMES: Readonly<Record<string, string>> = { period: 'period_s', stay: 'stay_s' };

/** Reads the keys of `--shape`, each once. Throws UsageError. */
export function keysOf(words: readonly string[]): Readonly<Record<string, object>> {
  const keys = new Map<string, object>();
  for (const word of words) {
    const at = word.indexOf('=');
    const name = word.slice(0, Math.max(at, 0));
    if (name === '')
      throw new UsageError(
        `--shape takes KEY=SHAPE:FIELD=VALUE,… such as temperature=sine:mean=20,amplitude=5,period=1h, got "${word}".`,
      );
    if (keys.has(name)) throw new UsageError(`--shape names "${name}" twice.`);
    keys.set(name, shapeOf(name, word.slice(at + 1)));
  }
  return Object.fromEntries(keys);
}

function shapeOf(name: string, word: string): object {
  const [shape = '', ...rest] = word.split(':');
  if (!SHAPES.some((known) => known === shape))
    throw new UsageError(`--shape ${name} takes ${alternatives(SHAPES)} as its shape, got "${shape}".`);
  const fields = fieldsOf(`--shape ${name}`, rest.join(':')).map(
    ([field, text]): readonly [string, unknown] => {
      const time = TIMES[field];
      if (time !== undefined) return [time, durationOf(`--shape ${name}, ${field}`, text) / 1000];
      return [field, field === 'states' ? text.split('/').map(valueOf) : valueOf(text)];
    },
  );
  return { shape, ...Object.fromEntries(fields) };
}

/** Reads `--trouble gaps=0.1,late=0.05`. Throws UsageError. */
export const troubleOf = (word: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fieldsOf('--trouble', word).map(([name, text]) => [name, valueOf(text)]));

function fieldsOf(what: string, word: string): (readonly [string, string])[] {
  if (word === '') return [];
  return word.split(',').map((field) => {
    const at = field.indexOf('=');
    if (at <= 0) throw new UsageError(`${what} takes FIELD=VALUE, separated by ",", got "${field}".`);
    return [field.slice(0, at), field.slice(at + 1)];
  });
}

/** A number, true or false where it reads so, and else a text. */
function valueOf(text: string): number | string | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
