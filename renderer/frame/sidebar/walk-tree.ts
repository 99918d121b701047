import type { KeyboardEvent } from 'react';
import type { TreeRow } from './tree-rows.ts';

interface Walk {
  readonly rows: readonly TreeRow[];
  readonly active: number;
  readonly go: (index: number) => void;
  readonly onFold: (project_id: string, unfolded: boolean) => void;
  readonly onOpen: (row: TreeRow) => void;
}

/** Letters typed quickly one after the other are one word. */
const WORD_MS = 700;
let typed = { text: '', at: 0 };

/** The keys of a tree (https://www.w3.org/WAI/ARIA/apg/patterns/treeview/): those it uses go no further. */
export function walkTree(event: KeyboardEvent, walk: Walk): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!walkByKey(event.key, walk) && !typeAhead(event, walk)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns whether the key is one of the tree's. */
function walkByKey(key: string, { rows, active, go, onFold, onOpen }: Walk): boolean {
  const row = rows[active];
  const step = (from: number, by: 1 | -1) => {
    let index = from;
    while (rows[index]?.kind === 'words') index += by;
    if (rows[index]) go(index);
  };
  switch (key) {
    case 'ArrowDown':
      step(active + 1, 1);
      return true;
    case 'ArrowUp':
      step(active - 1, -1);
      return true;
    case 'Home':
      step(0, 1);
      return true;
    case 'End':
      step(rows.length - 1, -1);
      return true;
    case 'ArrowRight':
      if (row?.kind === 'project') {
        if (row.open) step(active + 1, 1);
        else onFold(row.project.id, true);
      }
      return true;
    case 'ArrowLeft':
      if (row?.kind === 'project' && row.open) onFold(row.project.id, false);
      else if (row?.kind === 'device') go(rows.findIndex((each) => each.key === row.project_id));
      return true;
    case 'Enter':
    case ' ':
      if (row && row.kind !== 'words') onOpen(row);
      return true;
    default:
      return false;
  }
}

/** Goes to the next row whose name begins with what is typed; the same letter again goes on to the next one. */
function typeAhead({ key, timeStamp }: KeyboardEvent, { rows, active, go }: Walk): boolean {
  const before = timeStamp - typed.at < WORD_MS ? typed.text : '';
  // A name goes on with anything; what it begins with is no shortcut of the screen, such as "[".
  if (!/^[\p{L}\p{N}]$/u.test(key) && (before === '' || key.length > 1)) return false;
  typed = { text: before + key.toLowerCase(), at: timeStamp };
  const isRepeated = typed.text === key.toLowerCase().repeat(typed.text.length);
  const text = isRepeated ? key.toLowerCase() : typed.text;
  const from = isRepeated ? active + 1 : active;
  for (let step = 0; step < rows.length; step++) {
    const index = (from + step) % rows.length;
    if (nameOf(rows[index]).toLowerCase().startsWith(text)) {
      go(index);
      break;
    }
  }
  return true;
}

function nameOf(row: TreeRow | undefined): string {
  if (row?.kind === 'project') return row.project.name;
  return row?.kind === 'device' ? row.device.name : '';
}
