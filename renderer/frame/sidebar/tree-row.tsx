import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { FoundDevice, FoundValue } from '#shared/operations/metadata/devices.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { AlarmMark } from '../../components/alarms/alarm-mark.tsx';
import { CorrectedSign, correctedOf } from '../../components/corrections/corrected-sign.tsx';
import { DeviceStatus, StatusCounts } from '../../components/facts/device-status.tsx';
import { nameOfKey, shortValue } from '../../components/facts/key-words.ts';
import { OutsideMark } from '../../components/facts/outside-mark.tsx';
import { shownName } from '../../components/facts/shown-name.ts';
import { useOpenAlarms } from '../../stores/alarms/alarms.ts';
import type { SettingsOf } from '../../stores/key-settings.ts';
import { holdsFiles, importFiles } from '../../stores/picked-files.ts';
import { may } from '../../bridge/distant.ts';
import { hrefTo } from '../../router.ts';
import { routeOfRow, type TreeRow } from './tree-rows.ts';
import classes from './tree.module.css';

export const TREE_ROW_HEIGHT = 28;

interface TreeRowProps {
  readonly row: TreeRow;
  readonly index: number;
  /** Where it begins, px. */
  readonly start: number;
  /** Whether the keyboard comes to the tree here. */
  readonly isActive: boolean;
  readonly isCurrent: boolean;
  readonly settingsOf: SettingsOf;
  readonly onFold: (project_id: string, unfolded: boolean) => void;
  readonly onOpen: (row: TreeRow) => void;
}

export function TreeRowView({ row, index, start, isActive, isCurrent, settingsOf, ...on }: TreeRowProps) {
  const [isOver, setOver] = useState(false);
  const place = { height: TREE_ROW_HEIGHT, transform: `translateY(${start}px)` };
  if (row.kind === 'words')
    return (
      <div role="none" className={classes['words']} style={place} title={row.text}>
        {row.text}
      </div>
    );
  const isProject = row.kind === 'project';
  return (
    <a
      role="treeitem"
      href={hrefTo(routeOfRow(row))}
      aria-level={isProject ? 1 : 2}
      aria-posinset={row.place}
      aria-setsize={row.of}
      aria-selected={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      {...(isProject && { 'aria-expanded': row.open })}
      tabIndex={isActive ? 0 : -1}
      data-row={index}
      data-kind={row.kind}
      className={classes['row']}
      style={place}
      draggable={false}
      data-drop={isOver || undefined}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(may('records.import'));
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!holdsFiles(event)) return;
        event.preventDefault();
        if (!may('records.import')) return;
        const [project_id, device_id] = isProject ? [row.project.id] : [row.project_id, row.device.id];
        importFiles(project_id, [...event.dataTransfer.files], device_id);
      }}
      onClick={(event) => {
        // As any link: another tab is the browser's own.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        on.onOpen(row);
      }}
    >
      {isProject ? (
        <Project row={row} onFold={on.onFold} />
      ) : (
        <Device device={row.device} twin={row.twin} settingsOf={settingsOf} />
      )}
    </a>
  );
}

interface ProjectProps {
  readonly row: Extract<TreeRow, { kind: 'project' }>;
  readonly onFold: (project_id: string, unfolded: boolean) => void;
}

function Project({ row: { project, open }, onFold }: ProjectProps) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const alarms = useOpenAlarms(project.id);
  return (
    <>
      <span
        className={classes['fold']}
        data-testid="fold"
        aria-hidden
        onClick={(event) => {
          event.preventDefault();
          event.stopPropagation();
          onFold(project.id, !open);
        }}
      >
        <Chevron size={14} />
      </span>
      <span className={classes['name']} dir="auto" title={project.name}>
        {shownName(project.name)}
      </span>
      <AlarmMark open={alarms} short size={13} />
      {project.outside > 0 && <OutsideMark short size={13} />}
      {project.corrected > 0 && <CorrectedSign words={correctedOf(project.corrected)} size={13} />}
      <span className={classes['counts']}>
        <StatusCounts counts={project} size={9} />
      </span>
    </>
  );
}

interface DeviceProps {
  readonly device: FoundDevice;
  readonly twin: boolean;
  readonly settingsOf: SettingsOf;
}

/** So many characters of an id tell equal names apart. */
const ID_SHOWN = 4;

function Device({ device, twin, settingsOf }: DeviceProps) {
  const [newest] = device.values;
  const alarms = useOpenAlarms(device.id);
  const name = shownName(device.name);
  const value = newest ? valueText(newest, settingsOf(device.id, newest.key)) : NO_VALUE;
  const room =
    ROOM -
    (alarms > 0 ? MARK : 0) -
    (device.outside ? MARK : 0) -
    (newest?.corrected ? MARK : 0) -
    (twin ? ID_SHOWN * VALUE_LETTER : 0);
  const letters = value.text.length + Math.max(0, NUMBER_ROOM - value.digits);
  const fits = value.text !== '' && name.length * NAME_LETTER + letters * VALUE_LETTER <= room;
  return (
    <>
      <DeviceStatus device={device} compact size={10} />
      <span className={classes['name']} dir="auto" title={device.name}>
        {name}
        {twin && <span className={classes['id']}> {device.id.slice(0, ID_SHOWN)}</span>}
      </span>
      <AlarmMark open={alarms} short size={13} />
      {device.outside && <OutsideMark short size={13} />}
      {newest?.corrected && <CorrectedSign size={13} />}
      {fits && (
        <span className={classes['value']}>
          <bdi>{value.text}</bdi>
        </span>
      )}
    </>
  );
}

/** Pixels that name and value have together, and that a letter of each takes. */
const ROOM = 172;
const MARK = 19;
const NAME_LETTER = 7.5;
const VALUE_LETTER = 6.3;
/** Letters that any number has room for: of devices of one kind all have their value, or none. */
const NUMBER_ROOM = 5;

const NO_VALUE = { text: '', digits: NUMBER_ROOM };

/**
 * The newest value with its name and unit: a number alone may be anything, and cut off it is another one. Empty where a number
 * has no unit.
 */
function valueText({ key, value }: FoundValue, settings: KeySettings): typeof NO_VALUE {
  if (typeof value === 'number' && settings.unit === '') return NO_VALUE;
  const shown = shortValue(value, settings);
  const digits = typeof value === 'number' ? shown.length - settings.unit.length - 1 : NUMBER_ROOM;
  return { text: `${nameOfKey(key, settings)} ${shown}`, digits };
}
