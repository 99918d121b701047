import { parseInstant } from '#shared/values/time.ts';
import type { DeletedCounts } from '#shared/schema/schemas.ts';
import { countOf } from '../../format.ts';
import type { KeptDelete } from '../../stores/undo/kept-deletes.ts';
import { formatLocal } from '../../time.ts';

/** Returns the subject of a delete, in words. */
export function whatWords({ kind, start, end, project_name }: KeptDelete): string {
  switch (kind) {
    case 'project':
      return 'Project';
    case 'device':
      return `Device of ${project_name}`;
    case 'purge':
      return `All records, ${project_name}`;
    case 'range':
      return `Records ${spanWords(start, end)}, ${project_name}`;
    case 'decode':
      return `Values as decoded before, ${spanWords(start, end)}, ${project_name}`;
  }
}

function spanWords(start: string | null, end: string | null): string {
  if (start === null) return `to ${localOf(end)}`;
  return end === null ? `from ${localOf(start)}` : `${localOf(start)} – ${localOf(end)}`;
}

function localOf(text: string | null): string {
  const at = text === null ? null : parseInstant(text);
  return at === null ? 'the beginning' : formatLocal(at);
}

/** `2 devices, 22,695 records`. */
export function countWords({ kind, deleted }: KeptDelete): string {
  const records = countOf(deleted.records, 'record');
  return kind === 'project' ? `${countOf(deleted.devices ?? 0, 'device')}, ${records}` : records;
}

/** `1 device, 22,695 records`. */
export function countWordsOf(deleted: DeletedCounts): string {
  const nouns = ['devices', 'records', 'functions', 'widgets'] as const;
  const parts = nouns.flatMap((noun) => {
    const count = deleted[noun];
    return count === undefined || (count === 0 && noun !== 'records')
      ? []
      : [countOf(count, noun.slice(0, -1))];
  });
  return parts.join(', ');
}
