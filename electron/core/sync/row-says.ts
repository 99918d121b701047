import { hash } from 'node:crypto';
import { ROW_KINDS, type RowKind } from '#shared/operations/records/sync-rows.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import type { Row } from '../store/metadata/metadata-schema.ts';
import { canonicalJson } from '../store/trail/canonical.ts';

/*
 * What rows of a project and of its devices say, whoever stores them (docs/local-api.md, "Sync"): two services have the same where both
 * have the same content under the same id. Who made a row, and when, is no part of that.
 */

/** Content of a row: JSON values by name. */
export type RowContent = Readonly<Record<string, unknown>>;

/** Content of a row. */
export interface Says {
  /** Content that is compared. */
  readonly compared: RowContent;
  /** Content that only goes along where the row is made. */
  readonly beside: RowContent;
}

const timeText = (time: Micros | null): string | null => (time === null ? null : formatMicros(time));

function toldOf(act: Row<'alarms'>['acts'][number]) {
  const { next: _, ...told } = act;
  return told;
}

const SAYS: { readonly [Kind in RowKind]: (row: Row<Kind>) => Says } = {
  functions({ device_id, name, type, enabled, script, condition, silenced = null }) {
    const compared = { device_id, name, type, enabled, script, condition };
    return { compared, beside: { silenced: timeText(silenced) } };
  },
  key_settings(row) {
    const { id: _, project_id: __, created: ___, sequence: ____, ...compared } = row;
    return { compared, beside: {} };
  },
  notes({ device_id, start, end, text, author, created }) {
    return {
      compared: { device_id, start: formatMicros(start), end: timeText(end), text },
      beside: { author, created: formatMicros(created) },
    };
  },
  widgets({ title, type, sources, layout, range }) {
    return { compared: { title, type, sources, layout, range }, beside: {} };
  },
  alarms({ device_id, function_id, start, fired, end, withdrawn, acknowledged, acts, ...others }) {
    const { name, since, raised, amended } = others;
    const seen = acknowledged && { at: formatMicros(acknowledged.at), text: acknowledged.text };
    const times = { start: formatMicros(start), fired: formatMicros(fired), end: timeText(end) };
    return {
      compared: {
        device_id,
        function_id,
        ...times,
        is_withdrawn: withdrawn !== null,
        acknowledged: seen,
        note_ids: acts.flatMap(({ note_id }) => note_id ?? []),
      },
      beside: {
        name,
        since: formatMicros(since),
        raised: formatMicros(raised),
        amended: timeText(amended),
        withdrawn: timeText(withdrawn),
        acknowledged: acknowledged && { ...seen, by: acknowledged.by },
        acts: acts.map(toldOf),
      },
    };
  },
};

export const isRowKind = (kind: string): kind is RowKind => ROW_KINDS.some((known) => known === kind);

export function saysOf<Kind extends RowKind>(kind: Kind, row: Row<Kind>): Says {
  return SAYS[kind](row);
}

/** Returns a mark of content, in 16 characters: what is null counts as absent, so that a field that is new leaves marks as they are. */
export function markOfContent(content: RowContent): string {
  const said = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  return hash('sha256', canonicalJson(said), 'hex').slice(0, 16);
}
