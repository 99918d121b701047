import { useEffect, useState } from 'react';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { oneInFlight } from '../../../bridge/one-in-flight.ts';

/** As many as anybody looks at on a wall. */
const MOST_RECORDS = 50;
const REST_MS = 1_000;

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  /** Another one whenever the device may have others. */
  readonly version: string;
}

interface Newest {
  readonly records: readonly DataRecord[] | null;
  readonly error: string | null;
}

const NOTHING = { records: null, error: null, of: '' };

/** The newest records of a device as they are stored, read anew one reading at a time. */
export function useNewestRecords({ project_id, device_id, version }: Asked): Newest {
  const [newest, setNewest] = useState<Newest & { readonly of: string }>(NOTHING);
  const [reader] = useState(() =>
    createReader((of, found) => setNewest((was) => ({ ...was, ...found, of }))),
  );
  useEffect(() => reader.ask({ project_id, device_id, version }), [reader, project_id, device_id, version]);
  useEffect(() => () => reader.stop(), [reader]);
  return newest.of === device_id ? newest : NOTHING;
}

function createReader(show: (device_id: string, found: Partial<Newest>) => void) {
  let wanted: Asked | null = null;
  const read = oneInFlight(async () => {
    if (!wanted) return;
    const { project_id, device_id } = wanted;
    const isWanted = () => wanted?.device_id === device_id;
    try {
      const page = { page: 1, limit: MOST_RECORDS, range: 'all' } as const;
      const records = await ask('data.list', { project_id, device_id, ...page });
      if (isWanted()) show(device_id, { records, error: null });
    } catch (error) {
      if (isWanted()) show(device_id, { error: messageOf(error) });
    }
  }, REST_MS);
  return {
    ask(asked: Asked): void {
      wanted = asked;
      read();
    },
    stop: () => void (wanted = null),
  };
}
