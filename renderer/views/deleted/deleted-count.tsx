import { formatCount } from '../../format.ts';
import { keptDeletes } from '../../stores/undo/kept-deletes.ts';

/** Count of soft deletes; absent for none. */
export function DeletedCount() {
  keptDeletes.useWatch('all');
  const many = keptDeletes.useValue('all').value?.length ?? 0;
  return many > 0 && ` (${formatCount(many)})`;
}
