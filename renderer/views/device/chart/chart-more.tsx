import { IconArrowsDiff } from '@tabler/icons-react';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { Device } from '#shared/schema/schemas.ts';
import { useMay } from '../../../bridge/distant.ts';
import type { ChartAddress } from '../../../chart/address.ts';
import { DevicePicker } from '../../../chart/compare/device-picker.tsx';
import type { Write } from '../../../chart/controls/legend/columns.ts';
import type { ChartLine } from '../../../chart/draw/chart-line.ts';
import { FullScreenButton } from '../../../chart/full-screen/full-screen-button.tsx';
import type { FullScreen } from '../../../chart/full-screen/use-full-screen.ts';
import { LiveButton } from '../../../chart/live/live-button.tsx';
import type { Live } from '../../../chart/live/use-live.ts';
import { PictureMenu } from '../../../chart/picture-file/picture-menu.tsx';
import { legendOf, sceneNotes } from '../../../chart/picture-file/scene-of.ts';
import type { Pane } from '../../../chart/scale/panes.ts';
import { readStrips } from '../../../chart/states/use-states.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { goTo } from '../../../router.ts';
import { devices } from '../../../stores/devices.ts';
import { projects } from '../../../stores/projects.ts';

interface ChartMoreProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly chart: ChartAddress;
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
}

/** Pixels that the states of a picture are told apart by. */
const STRIP_WIDTH = 1_100;

/** Controls at the right of a device's chart: live, its neighbours, a picture of it, full screen. */
export function ChartMore({ project_id, device, chart, live, full, scene, ...told }: ChartMoreProps) {
  const { statistics, notes, summary, nameOf } = told;
  const { id, name } = device;
  const { range, window, zone = 'local', hidden = [], keys = [] } = chart;
  const { value: others } = devices.useValue(project_id);
  const { value: known } = projects.useValue('all');
  const isTwin = (others ?? []).some((other) => other.name === name && other.id !== id);
  const mayReport = useMay('statistics.get');
  const drawn = scene?.lines.map(({ key }) => key) ?? keys;
  const sceneOf = async () => {
    if (!scene) return null;
    const { lines, panes, writeOf } = scene;
    const strips = await readStrips(
      { project_id, device_id: id },
      { summary, window: scene.window, width: STRIP_WIDTH },
    );
    const figures = lines.map(({ key }) => statistics.get(key));
    return {
      title: name,
      about: known?.find((project) => project.id === project_id)?.name ?? '',
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
      <LiveButton live={live} />
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
      <PictureMenu
        sceneOf={sceneOf}
        devices={[{ id, name, isTwin }]}
        {...(mayReport && {
          onReport: () =>
            goTo({ screen: 'report', project_id, device_id: id, chart: { ...chart, keys: drawn } }),
        })}
      />
      <FullScreenButton full={full} />
    </>
  );
}
