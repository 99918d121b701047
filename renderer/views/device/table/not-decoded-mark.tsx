import { IconAlertTriangle } from '@tabler/icons-react';
import { UPLINK } from '#shared/domain/decoder-names.ts';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { shortened } from '../../../format.ts';
import classes from './record-table.module.css';

/** Mark of a record whose payload was not decoded; nothing for any other. */
export function NotDecodedMark({ record }: { readonly record: DataRecord }) {
  const error = record[UPLINK.error];
  if (error === undefined) return null;
  return (
    <span className={classes['mark']} title={shortened(String(error), 500)}>
      <IconAlertTriangle size={14} aria-hidden />
      not decoded
    </span>
  );
}
