import { Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatMicros, type Micros } from '#shared/time.ts';
import { formatLocal, formatRelative, nowMicros, zoneOffset } from '../time.ts';

interface MomentProps {
  readonly at: Micros;
  /** Says how long ago instead; the tooltip then has the local time too. */
  readonly relative?: boolean;
  /** Leaves the fraction of the second to the tooltip: for times that no one compares with records. */
  readonly coarse?: boolean;
}

/** An instant in local time; hovering or focusing shows it in UTC. */
export function Moment({ at, relative = false, coarse = false }: MomentProps) {
  const now = useNow(relative);
  const local = formatLocal(at);
  const utc = formatMicros(at);
  return (
    <Tooltip
      label={
        <span className="mono">
          {relative && (
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
        {relative ? formatRelative(at, now) : coarse ? formatLocal(Math.floor(at / 1e6) * 1e6) : local}
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
