import { useCallback } from 'react';
import { isOfRecords } from '#shared/domain/kept-kinds.ts';
import type { Impact } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { ConfirmDelete } from '../../components/dialog/confirm-delete.tsx';
import type { KeptDelete } from '../../stores/undo/kept-deletes.ts';
import { whatWords } from '../../components/facts/deleted-words.ts';

export function DiscardDialog({ kept }: { readonly kept: KeptDelete }) {
  const { id, name, project_id, device_id, deleted, bytes, kind } = kept;
  const readImpact = useCallback(
    (): Promise<Impact> =>
      Promise.resolve({ name, deleted, widgets_trimmed: 0, first: null, last: null, bytes }),
    [name, deleted, bytes],
  );
  return (
    <ConfirmDelete
      title={`Delete “${name}” for good`}
      action="Delete for good"
      warning={`${whatWords(kept)}: it is removed from the disk.`}
      name={name}
      recordsOnly={isOfRecords(kind)}
      project_id={null}
      forGood
      done={() => `“${name}” deleted for good`}
      work={{ kind: 'delete', project_id, device_id }}
      readImpact={readImpact}
      act={() => ask('undo.discard', { undo_id: id })}
    />
  );
}
