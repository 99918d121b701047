import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { AlarmMark } from '../../../components/alarms/alarm-mark.tsx';
import { CorrectedSign, OTHERS_CORRECTED } from '../../../components/corrections/corrected-sign.tsx';
import { OutsideMark } from '../../../components/facts/outside-mark.tsx';
import { shownName } from '../../../components/facts/shown-name.ts';
import { shortened } from '../../../format.ts';
import { hrefTo } from '../../../router.ts';
import { useOpenAlarms } from '../../../stores/alarms/alarms.ts';
import classes from './device-cells.module.css';
import { MOST_TAGS } from '../shown/shown-keys.ts';

interface NameCellProps {
  readonly project_id: string;
  readonly device: FoundDevice;
  readonly isActive: boolean;
}

/** A device's name over its tags; a warning where a value that the row does not show lies outside of its range, or is corrected. */
export function NameCell({ project_id, device, isActive }: NameCellProps) {
  const { id, name, tags, outside, corrected, values } = device;
  const isShown = values.some((value) => value.outside);
  const isTold = values.some((value) => value.corrected);
  const more = tags.length - MOST_TAGS;
  const alarms = useOpenAlarms(id);
  return (
    <div className={classes['name']}>
      <span className={classes['nameLine']}>
        {/* Not an anchor of Mantine's: a list has one of these in each of its rows. */}
        <a
          href={hrefTo({ screen: 'device', project_id, device_id: id, tab: 'chart' })}
          className={classes['link']}
          title={name}
          dir="auto"
          tabIndex={isActive ? 0 : -1}
        >
          {shortened(shownName(name))}
        </a>
        <AlarmMark open={alarms} short />
        {outside && !isShown && <OutsideMark short />}
        {corrected && !isTold && <CorrectedSign words={OTHERS_CORRECTED} />}
      </span>
      {tags.length > 0 && (
        <span className={classes['tags']} title={tags.join(', ')}>
          {tags.slice(0, MOST_TAGS).map((tag) => (
            <bdi key={tag}>{tag}</bdi>
          ))}
          {more > 0 && <span>+{more}</span>}
        </span>
      )}
    </div>
  );
}
