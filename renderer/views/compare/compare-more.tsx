import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import type { Align } from '../../chart/compare/shift.ts';
import type { Write } from '../../chart/controls/legend/figures.ts';
import type { ChartLine } from '../../chart/draw/chart-line.ts';
import { FullScreenButton } from '../../chart/full-screen/full-screen-button.tsx';
import type { FullScreen } from '../../chart/full-screen/use-full-screen.ts';
import { PictureMenu } from '../../chart/picture-file/picture-menu.tsx';
import { legendOf } from '../../chart/picture-file/scene-of.ts';
import type { Pane } from '../../chart/scale/panes.ts';
import type { TimeSpan } from '../../chart/time/window.ts';
import type { Zone } from '../../time.ts';
import type { CompareMode } from '../../chart/compare/modes.ts';
import type { Compared } from '../../chart/compare/compared.ts';

interface CompareMoreProps {
  readonly devices: readonly Compared[];
  readonly mode: CompareMode;
  readonly align: Align;
  /** Seconds, by device. */
  readonly shifts: Readonly<Record<string, number>>;
  readonly zone: Zone;
  readonly full: FullScreen;
  /** Null while nothing is drawn. */
  readonly window: TimeSpan | null;
  readonly panes: readonly Pane[];
  readonly lines: readonly ChartLine[];
  readonly hidden: ReadonlySet<string>;
  /** One a line. */
  readonly figures: readonly (KeyStatistics | undefined)[];
  readonly writeOf: (line: ChartLine) => Write;
}

/** What stands at the right of a comparison: a picture of it, all of the screen. */
export function CompareMore(props: CompareMoreProps) {
  const { devices, mode, zone, full, window, panes, lines, hidden, figures, writeOf } = props;
  const isTwin = (name: string) => devices.filter((device) => device.name === name).length > 1;
  const sceneOf = () =>
    window && {
      title: devices.map(({ label }) => label).join(mode === 'difference' ? ' − ' : ', '),
      about: aboutOf(props),
      window,
      zone,
      panes,
      strips: [],
      legend: legendOf(lines, hidden, figures, writeOf),
      notes: [],
    };
  return (
    <>
      <PictureMenu
        sceneOf={sceneOf}
        devices={devices.map(({ name, device_id }) => ({ name, id: device_id, isTwin: isTwin(name) }))}
      />
      <FullScreenButton full={full} />
    </>
  );
}

/** How the devices' times are moved, for who reads the picture later. */
function aboutOf({ devices, align, shifts }: Pick<CompareMoreProps, 'devices' | 'align' | 'shifts'>): string {
  const moved = devices.flatMap(({ device_id, label }) => {
    const seconds = shifts[device_id] ?? 0;
    return seconds === 0 ? [] : `${label} ${seconds > 0 ? '+' : '−'}${Math.abs(seconds)} s`;
  });
  return [align === 'start' ? 'Each from its own beginning' : '', ...moved].filter(Boolean).join(' · ');
}
