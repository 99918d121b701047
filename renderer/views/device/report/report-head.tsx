import type { View } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { makerOf } from '../../../components/facts/maker.ts';
import { SOURCE_WORDS } from '#shared/domain/sources.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { spanWords } from '../../../chart/picture-file/page-svg.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { lineWords, type Called } from '../../../components/corrections/correction-words.ts';
import { useCalled } from '../../../components/corrections/use-called.ts';
import { countOf, formatCount } from '../../../format.ts';
import type { DeviceDetail } from '../../../stores/devices.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import { projects } from '../../../stores/projects.ts';
import { formatTime, localZone, zoneOffset, type Zone } from '../../../time.ts';
import classes from './report.module.css';

export interface HeadProps {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  readonly zone: Zone;
  /** What all numbers of the report are of. */
  readonly view: View;
  /** Null where there is nothing. */
  readonly span: TimeSpan | null;
  /** The oldest first. */
  readonly corrections: readonly ShownCorrection[];
  /** In the span. */
  readonly records: number;
  readonly made: Micros;
  readonly by: string;
}

/** Head of a report: device, span, author. */
export function ReportHead({
  project_id,
  detail: { device, summary },
  zone,
  view,
  corrections,
  span,
  records,
  made,
  by,
}: HeadProps) {
  const { value: known } = projects.useValue('all');
  const project = known?.find(({ id }) => id === project_id)?.name ?? '';
  const called = useCalled({ project_id, device_id: device.id }, useKeySettings(project_id), zone);
  const corrected = correctedWords(corrections, view, called);
  const time = (at: Micros) => formatTime(Math.floor(at / 1e6) * 1e6, zone);
  const timeOf = (text: string | null) => {
    const at = parseInstant(text ?? '');
    return at === null ? '' : time(at);
  };
  const facts: readonly (readonly [name: string, text: string, isWide?: true])[] = [
    ['Span', span === null ? '' : spanWords({ from: span.from, to: span.to }, zone), true],
    ['Project', project],
    ['Records', span === null ? '' : `${formatCount(records)} of ${formatCount(summary.records)}`],
    ['Values', corrected, true],
    ['Device id', device.id],
    ['Source', SOURCE_WORDS[summary.source].label],
    ['Brand, model', makerOf(device)],
    ['Tags', device.tags.join(', ')],
    ['Description', device.description, true],
    ['All records', [summary.first, summary.last].map(timeOf).filter(Boolean).join(' – '), true],
    ['Times are in', zone === 'utc' ? 'UTC' : `${localZone()} (${zoneOffset(span?.from ?? made)})`, true],
    [
      'Made',
      `${time(made)} ${zoneOffset(made, zone)}${by.trim() && ` by ${by.trim()}`}, with Fieldbench`,
      true,
    ],
  ];
  return (
    <header>
      <h2 dir="auto">{device.name}</h2>
      <dl className={classes['facts']}>
        {facts
          .filter(([, text]) => text !== '')
          .map(([name, text, isWide]) => (
            <div key={name} data-wide={isWide}>
              <dt>{name}</dt>
              <dd dir="auto">{text}</dd>
            </div>
          ))}
      </dl>
    </header>
  );
}

/** Corrections that a report names; the list of all is in the app. */
const MOST_NAMED = 20;

/** What was corrected of the values of a report; empty for a device without corrections. */
function correctedWords(corrections: readonly ShownCorrection[], view: View, called: Called): string {
  if (corrections.length === 0) return '';
  const count = countOf(corrections.length, 'correction');
  if (view === 'raw') return `As stored: ${count} not applied`;
  const named = corrections.slice(0, MOST_NAMED).map((correction) => lineWords(correction, called));
  if (corrections.length > named.length) named.push(`and ${corrections.length - named.length} more`);
  return `Corrected by ${count}: ${named.join('; ')}`;
}
