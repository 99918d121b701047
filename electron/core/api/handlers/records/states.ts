import type { KeyStates } from '#shared/operations/records/states.ts';
import { formatMicros } from '#shared/values/time.ts';
import { badRequest } from '../../../base/errors.ts';
import { STATES, type KeyStates as Surveyed } from '../../../survey/states.ts';
import { surveyDevice } from '../../../survey/survey-device.ts';
import { EncodedJson } from '../../call.ts';
import type { HandlersOf } from '../../context.ts';
import { viewed } from '../../corrections/viewed.ts';
import { Pace } from '../../../turns/pace.ts';

/** Columns of all keys together (docs/running.md, "Limits"): each is up to two runs, which are objects. */
const MOST_COLUMNS = 65_536;
/** Runs up to which an answer is written at once; of more, key by key. */
const AT_ONCE = 2048;

export const statesHandlers: HandlersOf<'states'> = {
  async 'states.get'({ input, device, principal, signal }, { records, metadata, clock, surveys }) {
    const { width } = input;
    const of = await viewed(device.id, input.view, { metadata });
    const { first, last, keys: known } = await records.summary(of, signal);
    const start = input.start ?? Math.min(first ?? clock.now(), input.end ?? Infinity);
    const end = input.end ?? Math.max(start, last ?? start);
    const names = new Set(known.map(({ key }) => key));
    const keys = input.keys === undefined ? [...names] : input.keys.filter((key) => names.has(key));
    if (input.keys !== undefined && keys.length * width > MOST_COLUMNS) throw tooMany();
    const statesAlone = input.keys === undefined;
    const query = { range: { start, end }, keys, width, statesAlone, most: 2 * MOST_COLUMNS };
    const semaphore = surveys.of(principal.key_id);
    const found = await surveyDevice(STATES, query, { records, device: of, semaphore, signal });
    if (found === null) throw tooMany();
    const byKey = new Map(found.map((states) => [states.key, states]));
    const shown =
      input.keys?.map((key) => byKey.get(key) ?? { key, words: 0, lastTime: null, runs: [] }) ?? found;
    const frame = { start: formatMicros(start), end: formatMicros(end), width };
    if (found.reduce((sum, { runs }) => sum + runs.length, 0) > AT_ONCE)
      return { data: new EncodedJson(piecesOf(frame, shown)) };
    return { data: { ...frame, keys: shown.map(viewOf) } };
  },
};

const tooMany = () =>
  badRequest(
    `keys times width must be at most ${MOST_COLUMNS}; ask for a smaller width, fewer keys or a shorter span`,
  );

/** The JSON of many runs: others get their turn between its keys. */
async function* piecesOf(frame: object, keys: readonly Surveyed[]): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  let text = `${JSON.stringify(frame).slice(0, -1)},"keys":[`;
  for (const key of keys) {
    yield Buffer.from(text + JSON.stringify(viewOf(key)));
    text = ',';
    await pace.pause();
  }
  yield Buffer.from(keys.length === 0 ? `${text}]}` : ']}');
}

function viewOf({ key, words, lastTime, runs }: Surveyed): KeyStates {
  return {
    key,
    words,
    last_time: lastTime === null ? null : formatMicros(lastTime),
    runs: runs.map((run) => ({ ...run, from: formatMicros(run.from), to: formatMicros(run.to) })),
  };
}
