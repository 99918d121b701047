import type { View } from '#shared/domain/corrections.ts';
import { MOST_IN_FILE } from '#shared/operations/records/excursions.ts';
import type { TimeRange } from '#shared/values/time.ts';
import type { HandedView } from '../../handover/content.ts';
import { PACKED_VIEW, type PackAsked } from '../../handover/page/pack-view.ts';
import { touchedKeys, type Viewed } from '../../store/store.ts';
import { surveyDevice } from '../../survey/survey-device.ts';
import type { Context } from '../context.ts';
import { viewed } from '../corrections/viewed.ts';
import { excursionsView, surveyKey } from '../devices/key-excursions.ts';
import { surveyFigures } from '../devices/key-statistics.ts';
import { removedOf } from '../exports/plan-export.ts';

type Parts = Pick<Context, 'metadata' | 'records' | 'clock' | 'surveys' | 'removals'>;

/** Where the records of a view are read. */
export interface Source {
  readonly of: Viewed;
  /** The end that was not asked for is that of the records now, so that what comes meanwhile belongs to none. */
  readonly range: TimeRange;
  readonly removed: number;
}

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly range: TimeRange;
  /** Of the API key, null for the owner. */
  readonly key_id: string | null;
  /** Whether a key has a normal range. */
  readonly isJudged: (key: string) => boolean;
}

interface GatheredView {
  readonly view: HandedView;
  readonly source: Source;
}

/** Both views of a device, and which keys are not the same in both, as HandedDevice has it. */
interface GatheredViews extends Readonly<Record<View, GatheredView>> {
  readonly touched: ReadonlySet<string> | null;
}

/**
 * Reads both views of a device as it is now: of keys that no correction touches once for both. Rejects with StoreError, or as the
 * signal's reason.
 */
export async function gatherViews(
  id: string,
  asked: Asked,
  parts: Parts,
  signal: AbortSignal | undefined,
): Promise<GatheredViews> {
  const raw = await readSpan(id, asked.range, parts, signal);
  const of = await viewed(id, 'corrected', parts);
  if (typeof of === 'string') {
    const { view, source } = viewOf('raw', raw, await figuresOf(raw, asked, parts, signal), asked, parts);
    return {
      raw: { view, source },
      corrected: { view: { ...view, view: 'corrected' }, source },
      touched: new Set(),
    };
  }
  const touched = touchedKeys(of.lens, await parts.records.keys(of, signal));
  // The same records are those of the same span.
  const corrected = await readSpan(of, touched === null ? asked.range : raw.source.range, parts, signal);
  const isShared = (key: string) => touched !== null && !touched.has(key) && raw.numeric.has(key);
  const own = (key: string) => !isShared(key);
  const [stored, others] = await Promise.all([
    figuresOf(raw, asked, parts, signal),
    figuresOf(corrected, asked, parts, signal, own),
  ]);
  const figures = {
    statistics: both(corrected.numeric, others.statistics, stored.statistics),
    excursions: both(corrected.keys, others.excursions, stored.excursions),
  };
  return {
    raw: viewOf('raw', raw, stored, asked, parts),
    corrected: viewOf('corrected', corrected, figures, asked, parts),
    touched,
  };
}

/** Records of a view in a span, as far as its tables tell of them. */
interface Span {
  readonly source: Source;
  readonly keys: readonly string[];
  /** Keys with numbers, in the order of the keys. */
  readonly numeric: ReadonlySet<string>;
  readonly extent: Pick<HandedView, 'records' | 'first' | 'last'>;
}

async function readSpan(
  of: Viewed,
  range: TimeRange,
  { records, removals }: Parts,
  signal: AbortSignal | undefined,
): Promise<Span> {
  // Before what is there: a removal in between is noticed then.
  const removed = removedOf(of, removals);
  const { last: now } = await records.within(of, range);
  const own = { ...range, ...(range.end === undefined && now !== null && { end: now }) };
  const { records: length, first, last } = await records.within(of, own);
  const keys = await records.keys(of, signal);
  const known = (await records.summary(of, signal)).keys;
  const numeric = new Set(known.flatMap(({ key, numeric: numbers }) => (numbers > 0 ? key : [])));
  return { source: { of, range: own, removed }, keys, numeric, extent: { records: length, first, last } };
}

type Figures = Pick<HandedView, 'statistics' | 'excursions'>;

/** Surveys those keys of a span that are wanted. */
async function figuresOf(
  { source: { of, range }, keys, numeric }: Span,
  { isJudged, ...asked }: Asked,
  parts: Parts,
  signal: AbortSignal | undefined,
  isWanted: (key: string) => boolean = () => true,
): Promise<Figures> {
  const own = { ...asked, range };
  const wanted = [...numeric].filter(isWanted);
  const statistics =
    wanted.length === 0 ? [] : await surveyFigures(of, { ...own, keys: wanted }, parts, signal);
  const excursions = [];
  for (const key of keys.filter((each) => isJudged(each) && isWanted(each)))
    excursions.push(
      excursionsView(await surveyKey(of, { ...own, key, most: MOST_IN_FILE, width: null }, parts, signal)),
    );
  return { statistics, excursions };
}

/** Figures of keys in their order: its own, or those that are shared. */
function both<Figure extends { readonly key: string }>(
  keys: Iterable<string>,
  own: readonly Figure[],
  shared: readonly Figure[],
): readonly Figure[] {
  const byKey = new Map([...shared, ...own].map((figure) => [figure.key, figure]));
  return [...keys].flatMap((key) => byKey.get(key) ?? []);
}

function viewOf(
  view: View,
  { source, keys, extent }: Span,
  figures: Figures,
  { key_id }: Asked,
  { records, surveys }: Parts,
): GatheredView {
  const { of: device, range } = source;
  const pack = (what: PackAsked, signal?: AbortSignal) =>
    surveyDevice(PACKED_VIEW, { range, ...what }, { records, device, semaphore: surveys.of(key_id), signal });
  return { view: { view, keys, ...extent, ...figures, pack }, source };
}
