import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { newestApart } from '../../../components/facts/last-seen.tsx';
import { useNow } from '../../../components/facts/use-now.ts';
import { formatDay, formatLocal, formatRelative, lastSeenOf, zoneOffset } from '../../../time.ts';
import classes from './device-cells.module.css';

interface SeenCellProps {
  readonly device: FoundDevice;
  /** Whether the column says already that it is about newest records. */
  readonly ofRecords: boolean;
}

/** Last contact of a device, and below it the newest record's day where that differs; of a recording that day alone. */
export function SeenCell({ device, ofRecords }: SeenCellProps) {
  const now = useNow(true);
  const seen = lastSeenOf(device);
  const newest = newestApart(device);
  if (seen === null)
    return (
      <span className={classes[ofRecords || newest === null ? 'never' : 'tags']}>
        {newest === null ? (
          'never'
        ) : (
          <>
            {!ofRecords && 'newest record '}
            <Time at={newest} text={formatDay(newest)} />
          </>
        )}
      </span>
    );
  return (
    <div className={classes['name']}>
      <Time at={seen} text={formatRelative(seen, now)} />
      {newest !== null && (
        <span className={classes['tags']}>
          <span>
            newest record <Time at={newest} text={formatDay(newest)} />
          </span>
        </span>
      )}
    </div>
  );
}

function Time({ at, text }: { readonly at: Micros; readonly text: string }) {
  const utc = formatMicros(at);
  return (
    <time dateTime={utc} title={`${formatLocal(at)} (${zoneOffset(at)})\n${utc}`}>
      {text}
    </time>
  );
}
