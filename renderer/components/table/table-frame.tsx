import {
  defaultRangeExtractor,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import type { ComponentPropsWithRef, CSSProperties, ReactNode, RefObject } from 'react';
import classes from './table.module.css';

/** Pixels of a row, and rows beyond those in sight that are in the document. The rest is in table.module.css. */
export const DENSITIES = {
  roomy: { height: 44, overscan: 12 },
  // Each of them costs half a millisecond of every key that is pressed.
  compact: { height: 36, overscan: 4 },
  // Rows of two lines.
  'compact-high': { height: 44, overscan: 4 },
  dense: { height: 32, overscan: 10 },
  // Rows of three lines, of what has to be read whole.
  tall: { height: 72, overscan: 8 },
} as const;
export type Density = keyof typeof DENSITIES;

type Rows = Virtualizer<HTMLDivElement, Element>;

/** The rows of a table that are in sight in its frame, and the one at `also`; -1 for none. */
export function useRows(
  frame: RefObject<HTMLDivElement | null>,
  count: number,
  density: Density,
  also = -1,
): Rows {
  const { height, overscan } = DENSITIES[density];
  // oxlint-disable-next-line react/incompatible-library -- only matters to the React compiler, which is not used
  return useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan,
    rangeExtractor(range) {
      const inSight = defaultRangeExtractor(range);
      if (also < 0 || inSight.includes(also)) return inSight;
      return [...inSight, also].toSorted((a, b) => a - b);
    },
  });
}

interface TableFrameProps {
  readonly label: string;
  readonly density: Density;
  readonly rows: Rows;
  /** Cells of the header, laid out as those of a row. */
  readonly head: ReactNode;
  readonly headStyle?: CSSProperties;
  readonly renderRow: (place: VirtualItem) => ReactNode;
  /** Columns, where not all of them are in the document, and their width together (px). */
  readonly columns?: { readonly count: number; readonly width: number };
  /** Of what scrolls. */
  readonly frame: ComponentPropsWithRef<'div'>;
}

/** A table of any length below a header that stays: only the rows in sight are in the document. */
export function TableFrame({ label, density, rows, head, headStyle, columns, ...props }: TableFrameProps) {
  return (
    <div
      {...props.frame}
      className={classes['frame']}
      data-density={density}
      style={rows.options.count > 0 ? ({ '--rows': `${rows.getTotalSize()}px` } as CSSProperties) : undefined}
    >
      <div
        role="table"
        aria-label={label}
        aria-rowcount={rows.options.count + 1}
        {...(columns && {
          'aria-colcount': columns.count,
          style: { width: columns.width, minWidth: '100%' },
        })}
      >
        <div role="rowgroup" className={classes['head']}>
          <div role="row" aria-rowindex={1} className={classes['head-row']} style={headStyle}>
            {head}
          </div>
        </div>
        <div role="rowgroup" className={classes['body']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((place) => props.renderRow(place))}
        </div>
      </div>
    </div>
  );
}
