import type { ToCorrect } from '../../../../stores/dialog.ts';
import { CalibrateDialog } from '../calibrate/calibrate-dialog.tsx';
import { DeriveDialog } from '../derive/derive-dialog.tsx';
import { useSelectedSpans } from '../fields/correcting.ts';
import { ClockDialog } from './clock-dialog.tsx';
import { QualityDialog } from './quality-dialog.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';

/** Puts something right of a device's records, or changes how that is done. */
export function CorrectDialog({ what, selected, ...asked }: ToCorrect) {
  const spans = useSelectedSpans({ ...asked, ...(selected && { selected }) });
  if (spans === null) return null;
  switch (what) {
    case 'quality':
      return <QualityDialog {...asked} spans={spans} />;
    case 'calibration':
      return <CalibrateDialog {...asked} spans={spans} />;
    case 'time':
      return <ClockDialog {...asked} spans={spans} />;
    case 'replaced':
      return <ReplaceDialog {...asked} spans={spans} />;
    case 'derived':
      return <DeriveDialog {...asked} spans={spans} />;
  }
}
