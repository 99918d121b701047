import { Text } from '@mantine/core';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { Device } from '#shared/schema/schemas.ts';
import { NoteFlags } from '../../../chart/notes/note-flags-overlay.tsx';
import { unitOf } from '../../../chart/plot/axes.ts';
import { Bands } from '../../../chart/plot/overlay/bands.tsx';
import { Marks } from '../../../chart/plot/overlay/marks.tsx';
import overlay from '../../../chart/plot/overlay/overlay.module.css';
import { PaneName } from '../../../chart/plot/overlay/pane-name.tsx';
import { across } from '../../../chart/plot/overlay/place.ts';
import { SelectionArea } from '../../../chart/plot/overlay/selection-area.tsx';
import type { ChartColors } from '../../../chart/plot/palette.ts';
import type { Pane } from '../../../chart/scale/panes.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { viewOf, type ShownView } from '../../../chart/view.ts';
import { May } from '../../../components/work/may.tsx';
import { SelectionBar } from '../../../chart/controls/selection-bar.tsx';
import { CorrectedSpans } from '../corrections/corrected-spans.tsx';
import { SuspectOverlay } from '../../../chart/corrections/suspect-overlay.tsx';
import { AlarmSpans } from './alarm-spans.tsx';
import { ShiftSpan } from '../corrections/shift-span.tsx';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import type { Zone } from '../../../time.ts';
import type { SelectionDoes } from './selection/use-selection-actions.ts';
import type { useSelection } from './selection/use-selection.ts';

interface PlotOverProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly shown: ShownView;
  readonly corrections: readonly ShownCorrection[];
  readonly pane: Pane;
  /** Whether it is the uppermost in sight. */
  readonly isTop: boolean;
  readonly isLast: boolean;
  readonly isStacked: boolean;
  readonly notes: readonly Note[];
  readonly onNote: (note: Note) => void;
  readonly window: TimeSpan;
  readonly zone: Zone;
  readonly colors: ChartColors;
  readonly settingsOf: SettingsOf;
  readonly cursor: number | null;
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly strong: string | null;
  readonly selection: ReturnType<typeof useSelection>;
  readonly actions: SelectionDoes;
}

/** More bands than that would be a carpet; then only that of the line that is looked for is shown. */
const MOST_BANDS = 2;

/** Overlay of a plot: normal ranges, marks, the cursor, the selection. */
export function PlotOver({
  pane,
  window,
  zone,
  colors,
  settingsOf,
  cursor,
  a,
  b,
  strong,
  ...rest
}: PlotOverProps) {
  const { isTop, isLast, isStacked, notes, onNote, selection, actions } = rest;
  const { project_id, device, shown, corrections } = rest;
  const { selection: span, records, problem, move, nudge } = selection;
  const isAllBanded = pane.lines.length <= MOST_BANDS;
  const place = span && Math.max(0, Math.min(1, (across(span.from, window) + across(span.to, window)) / 2));
  return (
    <>
      <Bands
        lines={isAllBanded ? pane.lines : pane.lines.filter(({ id }) => id === strong)}
        ranges={pane.ranges}
        colors={colors}
        normalOf={({ device_id, key }) => settingsOf(device_id, key)}
      />
      {corrections.some(({ quality }) => quality === 'suspect') && (
        <SuspectOverlay
          {...{ corrections, window }}
          keys={pane.lines.map(({ key }) => key)}
          view={viewOf(shown)}
        />
      )}
      <May to="alarms.list">
        <AlarmSpans project_id={project_id} device_id={device.id} {...{ window, isTop }} />
      </May>
      {isStacked && <PaneName name={pane.lines[0]?.label ?? ''} unit={unitOf(pane.lines)} />}
      <Marks window={window} cursor={cursor} a={a} b={b} />
      {isLast && notes.length > 0 && <NoteFlags notes={notes} window={window} zone={zone} onOpen={onNote} />}
      {isLast && corrections.length > 0 && (
        <CorrectedSpans
          {...{ project_id, device, corrections, window, zone, settingsOf }}
          view={viewOf(shown)}
        />
      )}
      {span && <SelectionArea selection={span} window={window} zone={zone} onMove={move} onNudge={nudge} />}
      {span && isLast && actions.shift && (
        <ShiftSpan
          {...{ span, window, pane, colors, corrections }}
          view={viewOf(shown)}
          onShift={actions.shift}
        />
      )}
      {span && isTop && place !== null && (
        <div
          className={overlay['floating']}
          style={{ left: `${place * 100}%`, transform: `translateX(-${place * 100}%)` }}
        >
          <SelectionBar
            selection={span}
            records={records}
            zone={zone}
            onZoom={actions.zoom}
            onExport={actions.exportIt}
            onNote={actions.note}
            onCorrect={actions.correct}
            onCopy={actions.copy}
            onDelete={actions.remove}
            whyNoDelete={actions.whyNoRemove}
          />
          {problem !== null && (
            <Text size="xs" c="danger" role="alert">
              {problem}
            </Text>
          )}
        </div>
      )}
    </>
  );
}
