import { Anchor, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { countOf } from '../../format.ts';
import { lineWords, type Called } from './correction-words.ts';
import classes from './corrections.module.css';

interface CorrectionsLinkProps {
  /** At least one. */
  readonly list: readonly ShownCorrection[];
  readonly called: Called;
  readonly href: string;
}

/** Corrections that are told on hover; the tab has all of them. */
const MOST_TOLD = 8;

/** How many corrections a device has: pointed at or focused, what and why; pressed, the way to them. */
export function CorrectionsLink({ list, called, href }: CorrectionsLinkProps) {
  return (
    <CorrectionsTooltip list={list} called={called}>
      <Anchor href={href} inherit underline="always">
        {countOf(list.length, 'correction')}
      </Anchor>
    </CorrectionsTooltip>
  );
}

interface CorrectionsTooltipProps extends Omit<CorrectionsLinkProps, 'href'> {
  /** A link. */
  readonly children: ReactNode;
}

/** What corrections say and why, where their link is pointed at or focused. */
export function CorrectionsTooltip({ list, called, children }: CorrectionsTooltipProps) {
  return (
    <Tooltip
      label={<CorrectionLines list={list} called={called} />}
      multiline
      maw={440}
      events={{ hover: true, focus: true, touch: true }}
    >
      {children}
    </Tooltip>
  );
}

/** Corrections as lines of a tooltip, the newest first. */
export function CorrectionLines({ list, called }: Omit<CorrectionsLinkProps, 'href'>) {
  const told = list.toReversed().slice(0, MOST_TOLD);
  return (
    <>
      {told.map((correction) => (
        <div key={correction.id} className={classes['line']}>
          <bdi>{lineWords(correction, called)}</bdi>
        </div>
      ))}
      {list.length > told.length && <div>and {list.length - told.length} more</div>}
    </>
  );
}
