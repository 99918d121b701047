import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { newestApart } from '../../../components/facts/last-seen.tsx';
import { useNow } from '../../../components/facts/use-now.ts';
import { formatDay, formatLocal, formatRelative, lastSeenOf, zoneOffset } from '../../../time.ts';
import classes from './device-cells.module.css';

/** Last contact of a device, and below it the newest record's day where that differs. */
export function SeenCell({ device }: { readonly device: FoundDevice }) {
  const now = useNow(true);
  const seen = lastSeenOf(device);
  const newest = newestApart(device);
  return (
    <div className={classes['name']}>
      {seen === null ? (
        <span className={classes['never']}>never</span>
      ) : (
        <Time at={seen} text={formatRelative(seen, now)} />
      )}
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
