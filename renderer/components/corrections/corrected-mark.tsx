import { IconAdjustmentsCheck } from '@tabler/icons-react';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { lineWords, type Called } from './correction-words.ts';
import classes from './corrections.module.css';
import { CorrectionsTooltip } from './corrections-link.tsx';

interface CorrectedMarkProps {
  /** Corrections of one key; none: there is no mark. */
  readonly list: readonly ShownCorrection[];
  readonly called: Called;
  readonly href: string;
}

/** Mark of a key whose values are corrected: what and why where it is pointed at or focused. */
export function CorrectedMark({ list, called, href }: CorrectedMarkProps) {
  const newest = list.at(-1);
  if (!newest) return null;
  return (
    <CorrectionsTooltip list={list} called={called}>
      <a href={href} className={classes['mark']} aria-label={`Corrected: ${lineWords(newest, called)}`}>
        <IconAdjustmentsCheck size={15} aria-hidden />
      </a>
    </CorrectionsTooltip>
  );
}
