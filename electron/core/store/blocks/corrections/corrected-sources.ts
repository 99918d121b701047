import type { ClockCorrection } from '#shared/domain/corrections.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Lens } from '../../lens.ts';
import type { SortedRows } from '../query/sorted-rows.ts';
import { Timeline } from '../query/timeline.ts';
import { CellRules } from './cell-rules.ts';
import { clockMapOf, type ClockMap } from './clock-map.ts';
import { CorrectedRows, type StoredSpan } from './corrected-rows.ts';
import { DerivedKeys } from './derived-keys.ts';
import { DerivedRows } from './derived-rows.ts';
import { MergedRows } from './merged-rows.ts';

/** A span of stored time and what is done to times in it; spans follow one another without a gap. */
interface ClockSpan extends StoredSpan {
  readonly clock: ClockMap | null;
}

interface Plan {
  readonly spans: readonly ClockSpan[];
  readonly rules: CellRules;
  readonly derived: DerivedKeys;
}

const plans = new WeakMap<Lens, Plan>();

/**
 * The sources of a device as its lens shows them. Records at one corrected time stand in the order in which the raw view has
 * them, those of a former device first: so spans come in order of stored time, and in each the sources in order of arrival.
 *
 * @param formers the corrected sources of the devices before it, in the order of `lens.formers`
 */
export function correctedSources(
  lens: Lens,
  own: readonly SortedRows[],
  formers: readonly (readonly SortedRows[])[],
): SortedRows[] {
  const before = lens.formers.flatMap(({ until }, i) =>
    formers[i]!.flatMap(withoutDerived).map((source) => cutBehind(source, until)),
  );
  const { spans, rules, derived } = planOf(lens);
  const sources = own.filter(({ rows }) => rows > 0);
  const isPlain = rules.arePlain && spans.every(({ clock }) => clock === null);
  const corrected = isPlain ? sources : spans.flatMap((span) => rowsOf(sources, span, rules));
  const all = partedWhereOverlapping([...before, ...corrected].filter(({ rows }) => rows > 0));
  return derived.isEmpty || all.length === 0 ? all : [new DerivedRows(all, derived)];
}

/** Of more pieces the parts could be too many. */
const MOST_PARTED = 64;

/**
 * Pieces parted where others begin and end, so that only what does overlap has to be merged: an hour of a clock that was wrong
 * would otherwise make all before it slower.
 */
function partedWhereOverlapping(pieces: SortedRows[]): SortedRows[] {
  if (pieces.length < 2 || pieces.length > MOST_PARTED) return pieces;
  const edges = pieces.flatMap(({ first, last }) => [first, last + 1]).toSorted((a, b) => a - b);
  return pieces.flatMap((piece) => (piece instanceof CorrectedRows ? piece.partedAt(edges) : [piece]));
}

/** Derived keys are of the device that is read, over all of its history. */
const withoutDerived = (source: SortedRows): readonly SortedRows[] =>
  source instanceof DerivedRows ? source.sources : [source];

const PLAIN = new CellRules([]);

/** The rows of a source up to a corrected time. */
function cutBehind(source: SortedRows, until: Micros): SortedRows {
  if (source.rows === 0 || source.last <= until) return source;
  if (!(source instanceof CorrectedRows))
    return new CorrectedRows(source, { from: -Infinity, to: until }, null, PLAIN);
  const { inner, span, clock, rules } = source;
  return new CorrectedRows(
    inner,
    { from: span.from, to: source.storedWithin(-Infinity, until).to },
    clock,
    rules,
  );
}

function rowsOf(sources: readonly SortedRows[], span: ClockSpan, rules: CellRules): SortedRows[] {
  const within = sources.filter(({ first, last }) => first <= span.to && last >= span.from);
  const { clock } = span;
  const read = clock?.joins === true ? inOrder(within) : within;
  return read.map((source) => new CorrectedRows(source, span, clock, rules));
}

/** Where two stored times may become one, sources that overlap are put in order before. */
function inOrder(sources: readonly SortedRows[]): SortedRows[] {
  const { clusters } = new Timeline(sources);
  return clusters.map(({ sources: together }) =>
    together.length > 1 ? new MergedRows(together) : together[0]!,
  );
}

function planOf(lens: Lens): Plan {
  const known = plans.get(lens);
  if (known !== undefined) return known;
  const clocks = lens.corrections.filter((each) => each.kind === 'time');
  const { corrections } = lens;
  const plan = {
    spans: clockSpans(clocks),
    rules: new CellRules(corrections),
    derived: new DerivedKeys(corrections),
  };
  plans.set(lens, plan);
  return plan;
}

/** Of several corrections of one moment the last one holds. */
function clockSpans(clocks: readonly ClockCorrection[]): ClockSpan[] {
  const maps = new Map(clocks.map((each) => [each, clockMapOf(each)]));
  const edges = new Set<Micros>([-Infinity]);
  for (const { from, to } of clocks) edges.add(from).add(to + 1);
  const starts = Float64Array.from(edges).toSorted();
  const spans: ClockSpan[] = [];
  for (const [i, from] of starts.entries()) {
    const to = (starts[i + 1] ?? Infinity) - 1;
    const last = clocks.findLast((each) => each.from <= from && from <= each.to);
    const clock = last === undefined ? null : maps.get(last)!;
    const before = spans.at(-1);
    if (before !== undefined && before.clock === clock) spans[spans.length - 1] = { ...before, to };
    else spans.push({ from, to, clock });
  }
  return spans;
}
