import {
  IconCircle,
  IconCircleDashed,
  IconCircleFilled,
  IconCircleHalf2,
  IconFile,
} from '@tabler/icons-react';
import type { Micros } from '#shared/values/time.ts';
import { useLostAt } from '../../bridge/connection.ts';
import { formatCount } from '../../format.ts';
import { formatClock } from '../../time.ts';
import classes from './device-status.module.css';
import { LOOK_WORDS, lookOf, lookSentence, type Look, type Watched } from './status-look.ts';
import { useNow } from './use-now.ts';

/** A shape for each: a colour alone tells some people nothing. */
const SHAPES = {
  online: IconCircleFilled,
  late: IconCircleHalf2,
  silent: IconCircle,
  never: IconCircleDashed,
  recording: IconFile,
} as const satisfies Record<Look, unknown>;

interface DeviceStatusProps {
  readonly device: Watched;
  /** The shape alone, where there is no room for the word; it is its name then. */
  readonly compact?: boolean;
  readonly size?: number;
  /** Says in the text, too, as of when that is, while the service is out of reach. */
  readonly dated?: boolean;
}

const asOf = (lostAt: Micros | null) => (lostAt === null ? '' : ` as of ${formatClock(lostAt)}`);

/** Status of a device: `● Online`, `◐ Late`, `○ Silent`, `◌ Never`, `▯ Recording`; hovering says since when. */
export function DeviceStatus({ device, compact = false, size = 12, dated = false }: DeviceStatusProps) {
  const now = useNow(true);
  const lostAt = useLostAt();
  const look = lookOf(device, now);
  const Shape = SHAPES[look];
  return (
    // Not a tooltip of Mantine's: a list has one of these in each of its rows.
    <span
      className={classes['status']}
      data-look={look}
      title={lookSentence(device, now) + asOf(lostAt)}
      {...(compact && { role: 'img', 'aria-label': LOOK_WORDS[look] })}
    >
      <Shape size={size} stroke={2.4} className={classes['shape'] ?? ''} aria-hidden />
      {!compact && LOOK_WORDS[look]}
      {!compact && dated && asOf(lostAt)}
    </span>
  );
}

/** Counts of a project's devices by status: `18 ● 1 ◐ 1 ◌`, each with its word for screen readers. */
export function StatusCounts({
  counts,
  size = 10,
}: {
  /** `recordings` are of those that are `never`. */
  readonly counts: Readonly<Record<'online' | 'late' | 'never' | 'recordings', number>>;
  readonly size?: number;
}) {
  const { online, late, never, recordings } = counts;
  const all = { online, late, never: never - recordings, recording: recordings };
  return (
    <>
      {(['online', 'late', 'never', 'recording'] as const).map((look) => {
        const Shape = SHAPES[look];
        const words = `${formatCount(all[look])} ${LOOK_WORDS[look].toLowerCase()}`;
        return (
          all[look] > 0 && (
            <span
              key={look}
              className={classes['status']}
              data-look={look}
              role="img"
              aria-label={words}
              title={words}
            >
              <span aria-hidden>{formatCount(all[look])}</span>
              <Shape size={size} stroke={2.4} className={classes['shape'] ?? ''} aria-hidden />
            </span>
          )
        );
      })}
    </>
  );
}
