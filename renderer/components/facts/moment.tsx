import { Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatMicros, type Micros } from '#shared/time.ts';
import { formatDay, formatLocal, formatRelative, nowMicros, zoneOffset } from '../../time.ts';

interface MomentProps {
  readonly at: Micros;
  /** Says how long ago instead; the tooltip then has the local time too. */
  readonly relative?: boolean;
  /** Leaves the fraction of the second to the tooltip: for times that no one compares with records. */
  readonly coarse?: boolean;
  /** Shows the day alone, where there is little room. */
  readonly day?: boolean;
}

/** An instant in local time; hovering or focusing shows it in UTC. */
export function Moment({ at, relative = false, coarse = false, day = false }: MomentProps) {
  const now = useNow(relative);
  const local = formatLocal(at);
  const utc = formatMicros(at);
  let shown = coarse ? formatLocal(Math.floor(at / 1e6) * 1e6) : local;
  if (relative) shown = formatRelative(at, now);
  else if (day) shown = formatDay(at);
  return (
    <Tooltip
      label={
        <span className="mono">
          {(relative || day) && (
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

const TICK_MS = 15_000;

function useNow(ticking: boolean): Micros {
  const [now, setNow] = useState(nowMicros);
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(nowMicros()), TICK_MS);
    return () => clearInterval(timer);
  }, [ticking]);
  return Math.max(now, ticking ? nowMicros() : 0);
}
