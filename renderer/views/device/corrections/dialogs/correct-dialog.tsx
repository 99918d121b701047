import type { ToCorrect } from '../../../../stores/dialog.ts';
import { CalibrateDialog } from '../calibrate/calibrate-dialog.tsx';
import { ClockDialog } from './clock-dialog.tsx';
import { QualityDialog } from './quality-dialog.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';

/** Puts something right of a device's records, or changes how that is done. */
export function CorrectDialog(asked: ToCorrect) {
  switch (asked.what) {
    case 'quality':
      return <QualityDialog {...asked} />;
    case 'calibration':
      return <CalibrateDialog {...asked} />;
    case 'time':
      return <ClockDialog {...asked} />;
    case 'replaced':
      return <ReplaceDialog {...asked} />;
  }
}
