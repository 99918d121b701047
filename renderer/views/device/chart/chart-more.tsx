import { IconArrowsDiff } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { Device } from '#shared/schema/schemas.ts';
import { useMay } from '../../../bridge/distant.ts';
import type { ChartAddress, ChartChange } from '../../../chart/address.ts';
import type { Write } from '../../../chart/controls/legend/figures.ts';
import { MoreMenu } from '../../../chart/controls/more-menu.tsx';
import { YMenu } from '../../../chart/controls/y-menu.tsx';
import type { ChartLine } from '../../../chart/draw/chart-line.ts';
import { FullScreenButton } from '../../../chart/full-screen/full-screen-button.tsx';
import type { FullScreen } from '../../../chart/full-screen/use-full-screen.ts';
import { LiveButton } from '../../../chart/live/live-button.tsx';
import type { Live } from '../../../chart/live/use-live.ts';
import { PictureItems } from '../../../chart/picture-file/picture-menu.tsx';
import { legendOf, sceneNotes } from '../../../chart/picture-file/scene-of.ts';
import type { Pane } from '../../../chart/scale/panes.ts';
import { readStrips } from '../../../chart/states/use-states.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { viewOf, type ShownView } from '../../../chart/view.ts';
import { lookOf } from '../../../components/facts/status-look.ts';
import { useNow } from '../../../components/facts/use-now.ts';
import { goTo } from '../../../router.ts';
import { devices } from '../../../stores/devices.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { projects } from '../../../stores/projects.ts';
import type { Axes } from './use-axes.ts';
import { rememberStacked } from './use-stacked.ts';
import { DevicePicker } from '../../../chart/compare/device-picker.tsx';

interface ChartMoreProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly chart: ChartAddress;
  readonly change: (change: ChartChange) => void;
  readonly isStacked: boolean;
  readonly axes: Axes;
  /** Copies what the legend says. */
  readonly onCopy: () => void;
  readonly live: Live;
  readonly full: FullScreen;
  /** Drawn scene; null for none. */
  readonly scene: {
    readonly lines: readonly ChartLine[];
    readonly hidden: ReadonlySet<string>;
    readonly panes: readonly Pane[];
    readonly window: TimeSpan;
    readonly writeOf: (line: ChartLine) => Write;
  } | null;
  readonly summary: DeviceSummary;
  /** Returns the name of a key for people. */
  readonly nameOf: (key: string) => string;
  readonly statistics: ReadonlyMap<string, KeyStatistics>;
  readonly notes: readonly Note[];
  /** Null where the device has no corrections. */
  readonly shown: ShownView | null;
}

/** What a picture says of its numbers. */
const PICTURED: Readonly<Record<ShownView, string>> = {
  raw: 'as stored, not corrected',
  corrected: 'corrected',
  both: 'corrected, as stored pale behind',
};

/** Pixels that the states of a picture are told apart by. */
const STRIP_WIDTH = 1_100;

/** Controls behind the range of a device's chart: live, its neighbours, and what is seldom asked for. */
export function ChartMore({ project_id, device, chart, live, full, scene, ...told }: ChartMoreProps) {
  const { statistics, notes, summary, nameOf, change, isStacked, axes, onCopy, shown } = told;
  const { id, name } = device;
  const { last_seen, interval_s, last: newest } = summary;
  const isSending = lookOf({ last_seen, interval_s, newest }, useNow(true)) === 'online';
  const { range, window, zone = 'local', hidden = [], keys = [], y = 'auto', fixed = {} } = chart;
  const more = useRef<HTMLButtonElement>(null);
  const [isChoosingAxes, chooseAxes] = useState(false);
  // As they come there is nothing to be said of them.
  const areAxesTold = y !== 'auto' || Object.keys(fixed).length > 0;
  const { value: others } = devices.useValue(project_id);
  const { value: known } = projects.useValue('all');
  const isTwin = (others ?? []).some((other) => other.name === name && other.id !== id);
  const mayReport = useMay('statistics.get');
  const mayDerive = useMay('corrections.create');
  const drawn = scene?.lines.map(({ key }) => key) ?? keys;
  const sceneOf = async () => {
    if (!scene) return null;
    const { lines, panes, writeOf } = scene;
    const strips = await readStrips(
      { project_id, device_id: id },
      { summary, view: viewOf(shown ?? 'corrected'), window: scene.window, width: STRIP_WIDTH },
    );
    const figures = lines.map(({ key }) => statistics.get(key));
    return {
      title: name,
      about: [known?.find((project) => project.id === project_id)?.name, shown && PICTURED[shown]]
        .filter(Boolean)
        .join(' · '),
      window: scene.window,
      zone,
      panes,
      strips: strips.map((strip) => ({ strip, label: nameOf(strip.key) })),
      legend: legendOf(lines, scene.hidden, figures, writeOf),
      notes: sceneNotes(notes),
    };
  };
  return (
    <>
      <LiveButton live={live} isSending={isSending} />
      <DevicePicker
        label="Compare"
        icon={IconArrowsDiff}
        beside={[{ id, name, project_id }]}
        onPick={(other) =>
          goTo({
            screen: 'compare',
            devices: [id, other.id],
            keys: drawn.filter((key) => !hidden.includes(key)).slice(0, 1),
            chart: { ...(range && { range }), ...(window && { window }), ...(zone === 'utc' && { zone }) },
          })
        }
      />
      <MoreMenu
        ref={more}
        isStacked={isStacked}
        onStack={(next) => {
          rememberStacked(id, next);
          change({ stacked: next, fixed: null });
        }}
        onAxes={() => chooseAxes(true)}
        {...(mayDerive && {
          onDerive: () =>
            openDialog({ kind: 'correct', what: 'derived', project_id, device, zone, keys: drawn }),
        })}
        onCopy={onCopy}
        full={full}
        pictures={
          <PictureItems
            sceneOf={sceneOf}
            devices={[{ id, name, isTwin }]}
            {...(mayReport && {
              onReport: () =>
                goTo({
                  screen: 'report',
                  project_id,
                  device_id: id,
                  chart: { ...chart, keys: drawn, stacked: isStacked },
                }),
            })}
          />
        }
      />
      {full.isFull && <FullScreenButton full={full} />}
      {(areAxesTold || isChoosingAxes) && (
        <YMenu
          mode={y}
          axes={axes.list}
          fixed={fixed}
          onMode={(mode) => change({ y: mode === 'auto' ? null : mode, fixed: null })}
          onFix={axes.fix}
          isOpen={isChoosingAxes}
          onOpen={(isOpen) => {
            chooseAxes(isOpen);
            // The button that opened it goes.
            if (!isOpen && !areAxesTold) more.current?.focus();
          }}
        />
      )}
    </>
  );
}
