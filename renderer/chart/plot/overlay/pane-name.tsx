import { shownName } from '../../../components/facts/shown-name.ts';
import overlay from './overlay.module.css';

interface PaneNameProps {
  readonly name: string;
  /** Of all its numbers; empty for none. */
  readonly unit: string;
}

/** What a plot among others is of, above it: no line runs through the letters. */
export function PaneName({ name, unit }: PaneNameProps) {
  return (
    <span className={overlay['pane-name']} dir="auto" title={name} data-pane-name>
      {shownName(name)}
      {unit !== '' && ` (${unit})`}
    </span>
  );
}
