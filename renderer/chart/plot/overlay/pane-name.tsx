import { shownName } from '../../../components/facts/shown-name.ts';
import overlay from './overlay.module.css';

/** What a plot among others is of, above it: no line runs through the letters. */
export function PaneName({ name }: { readonly name: string }) {
  return (
    <span className={overlay['pane-name']} dir="auto" title={name} data-pane-name>
      {shownName(name)}
    </span>
  );
}
