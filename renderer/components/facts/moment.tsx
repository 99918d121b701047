import { Text, Tooltip } from '@mantine/core';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { formatClock, formatDay, formatLocal, formatRelative, zoneOffset } from '../../time.ts';
import { useNow } from './use-now.ts';

interface MomentProps {
  readonly at: Micros;
  /** Says how long ago instead; the tooltip then has the local time too. */
  readonly relative?: boolean;
  /** Leaves the fraction of the second to the tooltip: for times that no one compares with records. */
  readonly coarse?: boolean;
  /** Shows the day alone, where there is little room. */
  readonly day?: boolean;
  /** Shows the time of day to the millisecond alone, where all are of late. */
  readonly clock?: boolean;
}

/** An instant in local time; hovering or focusing shows it in UTC. */
export function Moment({ at, relative = false, coarse = false, day = false, clock = false }: MomentProps) {
  const now = useNow(relative);
  const local = formatLocal(at);
  const utc = formatMicros(at);
  let shown = coarse ? formatLocal(Math.floor(at / 1e6) * 1e6) : local;
  if (relative) shown = formatRelative(at, now);
  else if (day) shown = formatDay(at);
  else if (clock) shown = formatClock(Math.floor(at / 1e3) * 1e3);
  return (
    <Tooltip
      label={
        <span className="mono">
          {(relative || day || clock) && (
            <>
              {local} ({zoneOffset(at)})
              <br />
            </>
          )}
          {utc}
        </span>
      }
    >
      <Text component="time" dateTime={utc} inherit style={{ fontVariantNumeric: 'tabular-nums' }}>
        {shown}
      </Text>
    </Tooltip>
  );
}
