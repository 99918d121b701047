import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { FoundDevice, FoundValue } from '#shared/operations/metadata/devices.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { DeviceStatus, StatusCounts } from '../../components/facts/device-status.tsx';
import { nameOfKey, shortValue } from '../../components/facts/key-words.ts';
import { OutsideMark } from '../../components/facts/outside-mark.tsx';
import { shownName } from '../../components/facts/shown-name.ts';
import { shortened } from '../../format.ts';
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
      {project.outside > 0 && <OutsideMark short size={13} />}
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
  const settings = newest && settingsOf(device.id, newest.key);
  return (
    <>
      <DeviceStatus device={device} compact size={10} />
      <span className={classes['name']} dir="auto" title={device.name}>
        {shownName(device.name)}
        {twin && <span className={classes['id']}> {device.id.slice(0, ID_SHOWN)}</span>}
      </span>
      {device.outside && <OutsideMark short size={13} />}
      {newest && settings && (
        <span className={classes['value']} title={nameOfKey(newest.key, settings)}>
          <bdi>{textOf(newest.value, settings)}</bdi>
        </span>
      )}
    </>
  );
}

const MOST_OF_TEXT = 12;

/** A text may be cut, a number not: it has a shorter form of its own. */
const textOf = (value: FoundValue['value'], settings: KeySettings) =>
  typeof value === 'string' ? shortened(value, MOST_OF_TEXT) : shortValue(value, settings);
