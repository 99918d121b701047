import type { ReactNode } from 'react';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { parseInstant } from '#shared/values/time.ts';
import type { ChartAddress } from '../../../chart/address.ts';
import type { ChartColors } from '../../../chart/plot/palette.ts';
import { StateStrips } from '../../../chart/states/state-strips.tsx';
import { ALL, spanOfRange } from '../../../chart/time/range.ts';
import { windowBetween, type TimeSpan } from '../../../chart/time/window.ts';
import type { Through } from '../../../chart/view.ts';
import { nowMicros } from '../../../time.ts';

interface TextStatesProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly summary: DeviceSummary;
  readonly through: Through;
  readonly chart: ChartAddress;
  readonly colors: ChartColors;
  /** Stands here where the texts are no states either. */
  readonly empty: ReactNode;
}

/** The picture of a device that stores texts alone: what held when. */
export function TextStates(props: TextStatesProps) {
  const { project_id, device_id, summary, through, chart, colors, empty } = props;
  return (
    <StateStrips
      project_id={project_id}
      device_id={device_id}
      summary={summary}
      through={through}
      window={windowOf(chart, summary)}
      zone={chart.zone ?? 'local'}
      colors={colors}
      empty={empty}
    />
  );
}

function windowOf({ window, range = ALL }: ChartAddress, { first, last }: DeviceSummary): TimeSpan | null {
  if (window) return window;
  const span = spanOfRange(range);
  if (span !== null) return { from: nowMicros() - span, to: nowMicros() };
  const [from, to] = [parseInstant(first ?? ''), parseInstant(last ?? '')];
  return from === null || to === null ? null : windowBetween(from, to);
}
