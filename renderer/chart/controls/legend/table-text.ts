/*
 * A table as text to paste into a sheet: tabs between cells, numbers to their last digit with a full stop.
 */

/** Rows of a table, all of them or those that `has` says, below its heads; empty without a table. */
export function tableText(
  table: HTMLTableElement | null,
  has: (row: HTMLTableRowElement) => boolean = () => true,
): string {
  const [heads, ...rows] = table?.rows ?? [];
  if (!heads) return '';
  return [heads, ...rows.filter(has)].map((row) => Array.from(row.cells, cellText).join('\t')).join('\n');
}

function cellText(cell: HTMLElement): string {
  const told = cell.dataset['copied'] ?? exactIn(cell)?.dataset['exact'] ?? cell.textContent;
  const text = told.replaceAll(/\s+/g, ' ').trim();
  // What a screen writes where there is no number.
  return text === '–' ? '' : text;
}

function exactIn(cell: HTMLElement): HTMLElement | null {
  return cell.dataset['exact'] === undefined ? cell.querySelector('[data-exact]') : cell;
}

/**
 * What is copied of a table: a number that is selected by itself to its last digit, else the rows that the selection
 * reaches into, else the row that has the focus. Null where that is nothing of the table.
 */
export function copiedText(table: HTMLTableElement, selection: Selection | null): string | null {
  const range = selection?.isCollapsed === false ? selection.getRangeAt(0) : null;
  if (range === null) {
    const own = document.activeElement?.closest('tr');
    return own && table.contains(own) ? tableText(table, (row) => row === own) : null;
  }
  if (!range.intersectsNode(table)) return null;
  const [first, last] = [range.startContainer, range.endContainer].map(
    (node) => (node instanceof Element ? node : node.parentElement)?.closest('th, td') ?? null,
  );
  if (first !== null && first === last && first instanceof HTMLElement)
    return exactIn(first)?.dataset['exact'] ?? null;
  return tableText(table, (row) => range.intersectsNode(row));
}
