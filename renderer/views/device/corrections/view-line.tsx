import { SegmentedControl, Text } from '@mantine/core';
import { LEFT_OUT } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { changed } from '../../../chart/address.ts';
import { SHOWN_VIEWS, type ShownView } from '../../../chart/view.ts';
import { CorrectionsLink } from '../../../components/corrections/corrections-link.tsx';
import classes from '../../../components/corrections/corrections.module.css';
import { useCalled } from '../../../components/corrections/use-called.ts';
import { currentRoute, goTo, hrefTo } from '../../../router.ts';
import { useCorrections } from '../../../stores/corrections.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import type { Zone } from '../../../time.ts';

interface ViewLineProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly shown: ShownView;
  readonly zone: Zone;
  /** Whether another view can be chosen: not of what is always shown as it was stored. */
  readonly isChosen?: boolean;
  /** Whether it is of a chart, which draws what is left out. */
  readonly isDrawn?: boolean;
}

const LABELS: Readonly<Record<ShownView, string>> = { raw: 'Raw', corrected: 'Corrected', both: 'Both' };

/** Which view of a device is shown, by which corrections, and the choice of another one; nothing of a device without any. */
export function ViewLine({
  project_id,
  device_id,
  shown,
  zone,
  isChosen = false,
  isDrawn = false,
}: ViewLineProps) {
  const { list } = useCorrections(project_id, device_id);
  const called = useCalled({ project_id, device_id }, useKeySettings(project_id), zone);
  if (list.length === 0) return null;
  const href = hrefTo({ screen: 'device', project_id, device_id, tab: 'corrections' });
  const link = <CorrectionsLink list={list} called={called} href={href} />;
  return (
    <div className={classes['view']} data-testid="view-line" data-view={shown}>
      {isChosen && (
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={shown}
          onChange={show}
          data={SHOWN_VIEWS.map((value) => ({ value, label: LABELS[value] }))}
        />
      )}
      <Text span size="sm">
        {shown === 'raw' ? (
          <>As stored: {link} not applied.</>
        ) : (
          <>
            <b>Corrected</b> by {link}
            {shown === 'both' && '; pale behind, as stored'}.
            {shown === 'corrected' &&
              isDrawn &&
              list.some(isLeftOut) &&
              ' Pale: marked as bad or a test, not counted.'}
          </>
        )}
      </Text>
    </div>
  );
}

const isLeftOut = ({ quality }: ShownCorrection) => quality !== undefined && LEFT_OUT.has(quality);

/** Shows another view of the device that is open, with all else as it is. */
function show(view: ShownView): void {
  const now = currentRoute();
  if (now.screen !== 'device') return;
  goTo({ ...now, chart: changed(now.chart, { view: view === 'corrected' ? null : view }) });
}
