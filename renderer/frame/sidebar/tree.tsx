import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { SettingsOf } from '../../stores/key-settings.ts';
import { TREE_ROW_HEIGHT, TreeRowView } from './tree-row.tsx';
import type { TreeRow } from './tree-rows.ts';
import classes from './tree.module.css';
import { walkTree } from './walk-tree.ts';

interface TreeProps {
  readonly rows: readonly TreeRow[];
  /** The key of what the screen shows; null: nothing of the tree. */
  readonly current: string | null;
  readonly settingsOf: SettingsOf;
  readonly onFold: (project_id: string, unfolded: boolean) => void;
  readonly onOpen: (row: TreeRow) => void;
}

/**
 * Projects and devices as a tree of any length: only the rows in sight are in the document, and the one that the
 * keyboard is at.
 */
export function Tree({ rows, current, settingsOf, onFold, onOpen }: TreeProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const places = useMemo(() => new Map(rows.map(({ key }, index) => [key, index])), [rows]);
  // Where the keyboard is: where it went, else what the screen shows, else the first.
  const active = places.get(wanted ?? '') ?? places.get(current ?? '') ?? 0;
  /** The row that the keyboard has gone to, until it can have the focus. */
  const awaited = useRef<string | null>(null);
  // oxlint-disable-next-line react/incompatible-library -- only matters to the React compiler, which is not used
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => TREE_ROW_HEIGHT,
    overscan: 8,
    rangeExtractor(range) {
      const shown = defaultRangeExtractor(range);
      if (active >= rows.length || shown.includes(active)) return shown;
      return [...shown, active].toSorted((a, b) => a - b);
    },
  });

  function go(index: number): void {
    const key = rows[index]?.key ?? null;
    setWanted(key);
    awaited.current = key;
    virtualizer.scrollToIndex(index);
  }
  useEffect(() => {
    if (awaited.current === null) return;
    const place = places.get(awaited.current);
    const row = frame.current?.querySelector<HTMLElement>(`[data-row="${place}"]`);
    if (!row) return;
    awaited.current = null;
    row.focus({ preventScroll: true });
  });

  // What the screen shows is in sight, also where the tree came or was unfolded after it.
  const shown = current === null ? undefined : places.get(current);
  const isThere = shown !== undefined;
  const reveal = useEffectEvent(() => {
    if (shown !== undefined) virtualizer.scrollToIndex(shown);
  });
  useEffect(() => {
    if (isThere) reveal();
    setWanted(null);
  }, [current, isThere]);

  return (
    <div
      ref={frame}
      className={classes['frame']}
      onKeyDown={(event) => walkTree(event, { rows, active, go, onFold, onOpen })}
    >
      <div
        role="tree"
        aria-label="Projects and devices"
        className={classes['tree']}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <TreeRowView
                key={row.key}
                row={row}
                index={index}
                start={start}
                isActive={index === active}
                isCurrent={row.key === current}
                settingsOf={settingsOf}
                onFold={onFold}
                onOpen={onOpen}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
